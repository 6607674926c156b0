import type { Converted } from '../../../protocols/convert/convert.ts';

/** A file that was converted. */
export interface ToldText {
  readonly file: string;
  readonly converted: Converted;
}

/** What the JSON output says of a conversion, as docs/command-line.md describes it. */
export interface ToldLosses {
  readonly losses: readonly {
    readonly file: string;
    readonly path: string;
    readonly kind: string;
    readonly message: string;
  }[];
  readonly notes: readonly { readonly file: string; readonly message: string }[];
  readonly untold: number;
}

/** What the texts could not carry, all of them together. */
export function listToldLosses(texts: readonly ToldText[]): ToldLosses {
  return {
    losses: texts.flatMap(({ file, converted }) =>
      converted.losses.map(({ path, kind, message }) => ({ file, path, kind, message })),
    ),
    notes: texts.flatMap(({ file, converted }) => converted.notes.map(({ message }) => ({ file, message }))),
    untold: texts.reduce((sum, { converted }) => sum + converted.untold, 0),
  };
}

/** One line a loss, `params.limit: dropped: …`, and one a note; with the file's name where there are several. */
export function printLosses(texts: readonly ToldText[]): string {
  const { losses, notes, untold } = listToldLosses(texts);
  const hasFiles = texts.length > 1;
  const lines = [
    ...losses.map(({ file, path, kind, message }) => joinParts(hasFiles ? file : '', path, kind, message)),
    ...(untold > 0 ? [`… and ${untold} more`] : []),
    ...notes.map(({ file, message }) => joinParts(hasFiles ? file : '', 'note', message)),
  ];
  return lines.map(line => `${line}\n`).join('');
}

function joinParts(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join(': ');
}
