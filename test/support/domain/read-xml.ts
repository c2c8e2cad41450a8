export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

const TAG = /<(\/?)([a-z-]+)((?: [a-z-]+="[^"<]*")*)(\/?)>/y;
const TEXT = /[^<]+/y;

/** A strict reader for the XML that we write: elements, attributes, text and the five entities. Throws on anything else. */
export function readXml(document: string): XmlElement {
  const open: { name: string; attributes: Record<string, string>; children: (XmlElement | string)[] }[] = [{ name: '', attributes: {}, children: [] }];
  for (let at = 0; at < document.length; ) {
    TAG.lastIndex = at;
    TEXT.lastIndex = at;
    const [tag, text] = [TAG.exec(document), TEXT.exec(document)];
    if (tag === null && text === null) throw new Error(`not well-formed at ${at}: ${document.slice(at, at + 40)}`);
    at += (tag ?? text)?.[0].length ?? 0;
    if (tag === null) open.at(-1)?.children.push(unescaped(text?.[0] ?? ''));
    else step(open, tag);
  }
  const [root] = open[0]?.children.filter((child) => typeof child !== 'string') ?? [];
  if (open.length !== 1 || root === undefined) throw new Error('an element is not closed');
  return root;
}

function step(open: { name: string; attributes: Record<string, string>; children: (XmlElement | string)[] }[], tag: RegExpExecArray): void {
  const [, closes, name = '', attributes = '', isEmpty] = tag;
  if (closes === '/') {
    const last = open.pop();
    if (last?.name !== name) throw new Error(`</${name}> closes <${last?.name}>`);
    open.at(-1)?.children.push(last);
    return;
  }
  const pairs = [...attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, unescaped(value)] as const);
  const element = { name, attributes: Object.fromEntries(pairs), children: [] };
  if (isEmpty === '/') open.at(-1)?.children.push(element);
  else open.push(element);
}

const SIGNS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#13;': '\r' };

function unescaped(text: string): string {
  if (/[>]/.test(text.replace(/&\w+;/g, ''))) throw new Error(`unescaped sign in ${text}`);
  return text.replace(/&[^;]*;?/g, (entity) => {
    const sign = SIGNS[entity];
    if (sign === undefined) throw new Error(`unknown entity ${entity}`);
    return sign;
  });
}
