export const THREADS: readonly { readonly from: string; readonly to: string }[];
