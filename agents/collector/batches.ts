import { asList, readFields, type Fields } from '../../core/text/fields.ts';

/** The maximum number of spans in a request, as exporters send them. */
export const MAX_SPANS = 512;

/** A part of an export, itself a whole export in OTLP's JSON. */
export interface SpanBatch {
  readonly value: object;
  readonly spans: number;
}

/** Splits an export in OTLP's JSON, as Parley writes it, into parts of at most `most` spans. */
export function* cutExport(value: unknown, most = MAX_SPANS): Generator<SpanBatch, void> {
  let batch = new Batch();
  for (const resourceSpans of asList(readFields(value)?.get('resourceSpans'))) {
    const holder = readFields(resourceSpans);
    for (const scopeSpans of asList(holder?.get('scopeSpans'))) {
      const scope = readFields(scopeSpans);
      for (const span of asList(scope?.get('spans'))) {
        batch.add(span, scope, holder);
        if (batch.spans < most) continue;
        yield batch;
        batch = new Batch();
      }
    }
  }
  if (batch.spans > 0) yield batch;
}

/** Both halves of a batch that is too large; empty for a single span. */
export function halve(batch: SpanBatch): readonly SpanBatch[] {
  return batch.spans < 2 ? [] : [...cutExport(batch.value, Math.ceil(batch.spans / 2))];
}

class Batch implements SpanBatch {
  readonly value: { resourceSpans: object[] } = { resourceSpans: [] };
  spans = 0;
  #holder: Fields | undefined;
  #scope: Fields | undefined;
  #scopes: object[] = [];
  #spans: unknown[] = [];

  add(span: unknown, scope: Fields | undefined, holder: Fields | undefined): void {
    if (this.spans === 0 || holder !== this.#holder) {
      this.#scopes = [];
      this.value.resourceSpans.push({ ...without(holder, 'scopeSpans'), scopeSpans: this.#scopes });
      this.#holder = holder;
      this.#scope = undefined;
    }
    if (this.#scopes.length === 0 || scope !== this.#scope) {
      this.#spans = [];
      this.#scopes.push({ ...without(scope, 'spans'), spans: this.#spans });
      this.#scope = scope;
    }
    this.#spans.push(span);
    this.spans++;
  }
}

function without(fields: Fields | undefined, name: string): object {
  return Object.fromEntries([...(fields ?? [])].filter(([member]) => member !== name));
}
