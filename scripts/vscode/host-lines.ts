import { isCounts, type Counts } from '../test/counts.ts';

/** What a run in the extension host prints starts with this: the console is the workbench's, too. */
export const LINE_PREFIX = '[parley-test] ';
/** The last such line: the counts as JSON. */
export const COUNTS_PREFIX = '[parley-test-counts] ';

/** Names a file for the counts, where no console comes back: in a desktop VS Code. */
export const HOST_COUNTS_VARIABLE = 'PARLEY_HOST_COUNTS';

/** Sorts what comes over the console into our reporter's lines and the rest. */
export class HostLines {
  counts: Counts | undefined;
  readonly counted: Promise<void>;
  readonly #print: (line: string) => void;
  readonly #noise: string[] = [];
  readonly #resolve: () => void;

  constructor(print: (line: string) => void) {
    this.#print = print;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.counted = promise;
    this.#resolve = resolve;
  }

  /** Arguments of one console call, in whatever shape the workbench hands them over. */
  add(args: unknown): void {
    const text = [args].flat(2).map(String).join(' ');
    for (const line of text.split('\n')) this.#addLine(line);
  }

  #addLine(line: string): void {
    const counts = after(line, COUNTS_PREFIX);
    const ours = after(line, LINE_PREFIX);
    if (counts !== undefined) this.#setCounts(counts);
    else if (ours !== undefined) this.#print(ours);
    else this.#noise.push(line);
  }

  #setCounts(json: string): void {
    const value: unknown = JSON.parse(json);
    if (isCounts(value)) this.counts = value;
    this.#resolve();
  }

  /** The last lines that were not ours. */
  noise(): string {
    return this.#noise.slice(-40).join('\n');
  }
}

/** The rest of a line after a mark; the console puts its own words before it. Undefined where the mark is missing. */
function after(line: string, mark: string): string | undefined {
  const at = line.indexOf(mark);
  return at < 0 ? undefined : line.slice(at + mark.length);
}
