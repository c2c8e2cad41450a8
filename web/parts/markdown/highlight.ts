import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { loadWithRetry } from '../../base/browser/lazily.ts';

export interface CodeToken {
  readonly content: string;
  readonly color?: string | undefined;
}

/** Listed one by one: the full set would be fourteen megabytes. */
const LANGUAGES = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
} as const;

type Language = keyof typeof LANGUAGES;
type Grammar = Awaited<ReturnType<(typeof LANGUAGES)[Language]>>;

const ALIASES: Readonly<Record<string, Language>> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  js: 'tsx',
  jsx: 'tsx',
  ts: 'tsx',
  javascript: 'tsx',
  typescript: 'tsx',
  mjs: 'tsx',
  py: 'python',
  rs: 'rust',
  yml: 'yaml',
  md: 'markdown',
  jsonc: 'json',
  jsonl: 'json',
  cpp: 'c',
  h: 'c',
};

// The style sheet maps the variables to shades of the text color.
const theme = createCssVariablesTheme({ name: 'ink', variablePrefix: '--code-' });
let highlighter: Promise<HighlighterCore> | undefined;
const loaded = new Map<Language, Promise<void>>();

/** Longer lines stay plain: a line of 30,000 braces took two seconds. */
const MAX_LINE_CHARS = 1000;

export async function highlight(code: string, name: string): Promise<readonly (readonly CodeToken[])[] | undefined> {
  const language = languageOf(name.toLowerCase());
  if (language === undefined) return undefined;
  highlighter ??= createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) });
  const shiki = await highlighter;
  if (!loaded.has(language)) loaded.set(language, shiki.loadLanguage(loadWithRetry<Grammar>(LANGUAGES[language])));
  await loaded.get(language);
  return shiki.codeToTokensBase(code, { lang: language, theme: 'ink', tokenizeMaxLineLength: MAX_LINE_CHARS });
}

const languageOf = (name: string): Language | undefined => (name in LANGUAGES ? (name as Language) : ALIASES[name]);
