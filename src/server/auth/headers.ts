const CSP = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'self'",
  'form-action': "'self'",
} as const;

export const contentSecurityPolicy = (changes: Readonly<Partial<Record<keyof typeof CSP, string>>> = {}): string =>
  Object.entries({ ...CSP, ...changes })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

/** What a stranger uploaded or an agent printed must never run as one of our pages. */
export const SANDBOX_CSP = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** On every response; a route can replace one of them. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};
