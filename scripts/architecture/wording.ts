import { lineAt, walkSource, type Node } from './syntax.ts';

/** Phrases that no engineer uses, each with the usual one. They are long enough to mean nothing else. */
export const PHRASES: readonly (readonly [phrase: string, usual: string])[] = [
  ['calls nobody', 'made no further call'],
  ['stand above', 'depth'],
  ['stands above', 'depth'],
  ['not tried', 'skipped'],
  ['each step went well', 'each step succeeded'],
  ['folder of the path', 'was not found on PATH'],
  ['has no message for a task, and', 'takes tool calls, not free text'],
  ['a text that a model would write', 'sampling'],
  ['First of the reply', 'First byte'],
  ['Last piece', 'Last chunk'],
  ['piece came', 'chunk'],
  ['as it came', 'raw'],
  ['Refresh it to list', 'Click to load'],
  ['Tell it', 'Share'],
  ['goes out', 'is sent'],
  ['went out', 'was sent'],
  ['guard tripped', 'recursion limit reached'],
  ['is asked for', 'is requested'],
  ['was asked for', 'was requested'],
  ['asks its caller', 'request to its caller'],
  ['everything else waited', 'critical path'],
  ['came since', 'new'],
  ['are forgotten', 'are deleted'],
  ['is forgotten', 'is deleted'],
  ['keeps to the whitepaper', 'follows the whitepaper'],
  ['tools of the web', 'developer tools'],
  ['more fields is reported', 'more than this many fields'],
  ['Quotes keep blanks together', 'Use quotes around arguments with spaces'],
];

/** The product without its demo agents, which tell stories. */
const PRODUCT = /^(?:core|tensor|language|protocols|trace|wire|server|client|cli)\/|^agents\/(?!demo\/)/;

/** Finds these phrases in the texts of a file of the product, as `path:line: phrase; write usual`. */
export function findOddWords(path: string, text: string): readonly string[] {
  if (!PRODUCT.test(path)) return [];
  const found: string[] = [];
  walkSource(path, text, node => {
    const words = wordsOf(node);
    for (const [phrase, usual] of PHRASES)
      if (words.includes(phrase))
        found.push(`${path}:${lineAt(text, node.start)}: ${phrase}; write ${usual}`);
  });
  return found;
}

function wordsOf(node: Node): string {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : '';
  return node.type === 'TemplateElement' ? node.value.raw : '';
}
