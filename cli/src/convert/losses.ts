import type { Converted } from '../../../protocols/convert/convert.ts';

/** A converted file. */
export interface ConvertedText {
  readonly file: string;
  readonly converted: Converted;
}

/** The report of a conversion in the JSON output, as documented in docs/command-line.md. */
export interface LossReport {
  readonly losses: readonly {
    readonly file: string;
    readonly path: string;
    readonly kind: string;
    readonly message: string;
  }[];
  readonly notes: readonly { readonly file: string; readonly message: string }[];
  readonly unreported: number;
}

/** The losses and notes of all texts together. */
export function listReportedLosses(texts: readonly ConvertedText[]): LossReport {
  return {
    losses: texts.flatMap(({ file, converted }) =>
      converted.losses.map(({ path, kind, message }) => ({ file, path, kind, message })),
    ),
    notes: texts.flatMap(({ file, converted }) => converted.notes.map(({ message }) => ({ file, message }))),
    unreported: texts.reduce((sum, { converted }) => sum + converted.unreported, 0),
  };
}

/** One line per loss, `params.limit: dropped: …`, and one per note; with the file name if there are several files. */
export function printLosses(texts: readonly ConvertedText[]): string {
  const { losses, notes, unreported } = listReportedLosses(texts);
  const hasFiles = texts.length > 1;
  const lines = [
    ...losses.map(({ file, path, kind, message }) => joinParts(hasFiles ? file : '', path, kind, message)),
    ...(unreported > 0 ? [`… and ${unreported} more`] : []),
    ...notes.map(({ file, message }) => joinParts(hasFiles ? file : '', 'note', message)),
  ];
  return lines.map(line => `${line}\n`).join('');
}

function joinParts(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join(': ');
}
