import { MOST_HINTS, type TextHint } from '../../hints.ts';
import { base85TextLength } from '../../../tensor/base85.ts';
import { showBytes } from '../../../tensor/size-words.ts';
import { countOf } from '../../../core/text/count.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import { contentSpan } from '../ast.ts';
import type { AiclDocument } from '../document.ts';
import { escapeHints } from './escape-hints.ts';
import { gatherFacts, openTensor, readHead, type TensorFacts, type TensorHead } from './tensor-facts.ts';
import { listFacts, summarizeFacts } from './tensor-words.ts';
import { findTensors, type FoundTensor } from './tensors.ts';

/**
 * The character of each escape in a text; and what a tensor holds, before its data: its bytes and what its elements are like (reading of LightAICL 3.3). Data type
 * and shape stand directly before and are not repeated. Data that are left out or faulty are only measured; a tensor
 * whose type or shape cannot be read, or whose data nothing could hold, has no hint.
 */
export function hints(doc: AiclDocument, span: Span): readonly TextHint[] {
  const found: TextHint[] = [];
  for (const hint of escapeHints(doc, span)) if (found.push(hint) >= MOST_HINTS) break;
  const reader = new FactsReader(doc);
  for (const tensor of findTensors(doc, span)) {
    if (found.length >= MOST_HINTS) break;
    const { unit, reading, atom } = tensor;
    const head = readHead(reading.text, shiftSpan(contentSpan(atom), reading.base));
    if (!head) continue;
    const offset = unit.start + head.parts.payload.start - reading.base;
    const words = offset < span.start || offset > span.end ? undefined : describe(head, reader, tensor);
    if (words) found.push({ offset, kind: 'type', ...words });
  }
  return found;
}

function describe(
  head: TensorHead,
  reader: FactsReader,
  tensor: FoundTensor,
): Pick<TextHint, 'label' | 'tooltip'> | undefined {
  const { dtype, dimensions, bytes: exact } = head;
  if (!dtype || !dimensions || exact === undefined || exact > BigInt(Number.MAX_SAFE_INTEGER))
    return undefined;
  const bytes = Number(exact);
  const elements = countOf(bytes / dtype.bytes, 'element');
  const size = `${countOf(bytes, 'byte')}, ${countOf(base85TextLength(bytes), 'character')} of Base85`;
  const sizeLine = `${elements} of ${countOf(dtype.bytes, 'byte')} each: ${size}`;
  const facts = reader.read(tensor, head);
  const summary = typeof facts === 'string' ? '' : summarizeFacts(facts);
  if (typeof facts !== 'string' && summary !== '')
    return { label: `${showBytes(bytes)} · ${summary}`, tooltip: [sizeLine, ...listFacts(facts)].join('\n') };
  return {
    label: dimensions.length === 1 ? showBytes(bytes) : `${elements} · ${showBytes(bytes)}`,
    tooltip: facts === 'later' ? `${sizeLine}\n${LATER}` : sizeLine,
  };
}

const LATER = 'Too much data for one answer: the next one tells what is in it';
/** So many characters of data are looked at for one answer: what was found is kept, and the next answer tells more. */
const MOST_CHARACTERS = 10_000_000;

/** What was found in sound tensors, by what an edit elsewhere leaves as it is: a long atom, or a whole unit. */
const KEPT = new WeakMap<object, Map<number, TensorFacts | 'unsound'>>();

/** Reads what is in tensors, each once for as long as no edit touches it. */
class FactsReader {
  readonly #doc: AiclDocument;
  #left = MOST_CHARACTERS;

  constructor(doc: AiclDocument) {
    this.#doc = doc;
  }

  /** `unsound` for a tensor whose data are left out or faulty, `later` for one too many. */
  read({ index, atom, reading }: FoundTensor, head: TensorHead): TensorFacts | 'unsound' | 'later' {
    const owner = atom.origin ?? this.#doc.units.contentAt(index) ?? {};
    const place = atom.origin ? 0 : atom.start;
    const kept = KEPT.get(owner) ?? new Map<number, TensorFacts | 'unsound'>();
    KEPT.set(owner, kept);
    const known = kept.get(place);
    if (known || this.#left <= 0) return known ?? 'later';
    const { start, end } = head.parts.payload;
    this.#left -= end - start;
    this.#doc.work.count += end - start;
    const sound = openTensor(reading.text, head);
    const facts = sound ? gatherFacts(sound) : 'unsound';
    kept.set(place, facts);
    return facts;
  }
}
