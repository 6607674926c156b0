import { findConversion, type ConversionName } from '../../../core/catalog/conversions.ts';
import { countOf } from '../../../core/text/count.ts';
import type { ConvertResult } from '../../../wire/conversion-requests.ts';

/** What a menu calls a protocol. */
export function shortName(name: ConversionName): string {
  return findConversion(name)?.short ?? name;
}

/** How many things a result does not say as its source did: `2 losses, 1 guess`; undefined where there is none. */
export function countFindings({
  findings,
  untold,
}: Pick<ConvertResult, 'findings' | 'untold'>): string | undefined {
  const count = (kind: string): number => findings.filter(finding => finding.kind === kind).length;
  const [guesses, notes] = [count('guessed'), count('note')];
  const losses = findings.length - guesses - notes + untold;
  const words = [
    ...(losses > 0 ? [countOf(losses, 'loss', 'losses')] : []),
    ...(guesses > 0 ? [countOf(guesses, 'guess', 'guesses')] : []),
    ...(notes > 0 ? [countOf(notes, 'note')] : []),
  ];
  return words.length === 0 ? undefined : words.join(', ');
}
