import { findConversion, type ConversionName } from '../../../core/catalog/conversions.ts';
import { countOf } from '../../../core/text/count.ts';
import type { ConvertResult } from '../../../wire/conversion-requests.ts';

/** The name of a protocol in menus. */
export function shortName(name: ConversionName): string {
  return findConversion(name)?.short ?? name;
}

/** The number of losses, guesses and notes, such as `2 losses, 1 guess`; undefined if there are none. */
export function countFindings({
  findings,
  unlisted: unreported,
}: Pick<ConvertResult, 'findings' | 'unlisted'>): string | undefined {
  const count = (kind: string): number => findings.filter(finding => finding.kind === kind).length;
  const [guesses, notes] = [count('guessed'), count('note')];
  const losses = findings.length - guesses - notes + unreported;
  const words = [
    ...(losses > 0 ? [countOf(losses, 'loss', 'losses')] : []),
    ...(guesses > 0 ? [countOf(guesses, 'guess', 'guesses')] : []),
    ...(notes > 0 ? [countOf(notes, 'note')] : []),
  ];
  return words.length === 0 ? undefined : words.join(', ');
}
