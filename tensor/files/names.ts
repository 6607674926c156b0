import { quote } from '../../core/text/quote.ts';
import type { NamedTensor } from './file-format.ts';

/** How a format names tensors. */
interface NameRules {
  /** The prefix of names for unnamed tensors; their index follows. */
  readonly prefix: string;
  /** Replaces a name by one that the format allows. */
  readonly clean: (name: string) => string;
}

/** Lone surrogates, which cannot be encoded in UTF-8. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Gives each tensor a unique name that the format allows, with a note for each name that changed. */
export function nameTensors(
  tensors: readonly NamedTensor[],
  { prefix, clean }: NameRules,
): { readonly named: readonly NamedTensor[]; readonly notes: readonly string[] } {
  const taken = new Set<string>();
  const repeats = new Map<string, number>();
  const notes: string[] = [];
  const named = tensors.map(({ name, tensor }, index) => {
    const wanted = name === '' ? `${prefix}${index}` : clean(name.replace(LONE_SURROGATES, '\ufffd'));
    let given = wanted;
    for (let count = repeats.get(wanted) ?? 1; taken.has(given); given = `${wanted}_${count}`)
      repeats.set(wanted, ++count);
    taken.add(given);
    if (given !== name)
      notes.push(
        name === ''
          ? `The tensor without a name is called ${quote(given)}.`
          : `The tensor ${quote(name)} is called ${quote(given)} in the file.`,
      );
    return { name: given, tensor };
  });
  return { named, notes };
}
