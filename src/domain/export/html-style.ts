/** One style sheet for light and dark, inlined in the file. */
export const EXPORT_CSS = `
:root{color-scheme:light dark;--ink:#1c1c1e;--paper:#fff;--soft:#f4f4f6;--line:#d8d8dc;--quiet:#6b6b70;--add:#e6f6e8;--del:#fdeaea;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e6e6e8;--paper:#161618;--soft:#222226;--line:#3a3a40;--quiet:#9a9aa0;--add:#16301b;--del:#3a1a1a;--bad:#f2b8b5}}
body{margin:0 auto;max-width:60rem;padding:1.5rem;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
h1{font-size:1.4rem;overflow-wrap:anywhere}h2{font-size:.95rem;margin:0 0 .4rem}time{color:var(--quiet);font-weight:400;font-size:.8rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;color:var(--quiet);font-size:.85rem}dd{margin:0;overflow-wrap:anywhere}
.said{background:var(--soft);border-radius:.6rem;padding:.8rem 1rem;margin:1.6rem 0 1rem}.answer{margin:.8rem 0}
.words{white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0}
pre,code{font:13px/1.5 ui-monospace,monospace}pre{background:var(--soft);border:1px solid var(--line);border-radius:.4rem;padding:.6rem;overflow:auto;max-height:40rem;white-space:pre-wrap;overflow-wrap:anywhere}
details{border:1px solid var(--line);border-radius:.4rem;padding:.3rem .7rem;margin:.5rem 0}summary{cursor:pointer;overflow-wrap:anywhere}.thinking{color:var(--quiet)}
.failed>summary,.bad{color:var(--bad)}.inside{border-left:3px solid var(--line);padding-left:.8rem}
.add{background:var(--add);display:inline-block;width:100%}.del{background:var(--del);display:inline-block;width:100%}.hunk{color:var(--quiet)}
.line{color:var(--quiet);font-size:.85rem;margin:.4rem 0;overflow-wrap:anywhere}.line.bad{color:var(--bad)}.line.break{border-top:2px solid var(--line);border-bottom:2px solid var(--line);padding:.4rem 0;margin:1.2rem 0}
.noted{background:var(--soft);border-left:3px solid gold;padding:.3rem .7rem;font-size:.85rem;white-space:pre-wrap}img{max-width:100%;border-radius:.4rem}
`;
