import {
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
  type CancellationToken,
  type Range,
} from 'vscode-languageserver';
import { SourceText } from '../../../core/text/source-text.ts';
import {
  CONVERT,
  CONVERTED_AT,
  isConvertedAtParams,
  isConvertParams,
  type ConvertParams,
  type ConvertResult,
} from '../../../wire/conversion-requests.ts';
import {
  convertSource,
  KeptConversion,
  messagesAt,
  type Conversion,
  type ConversionSource,
} from '../converting/conversion.ts';
import { listFindings } from '../converting/findings.ts';
import { otherSide } from '../converting/place-pairs.ts';
import type { Snapshot } from '../documents.ts';
import { guardRequest } from '../guard.ts';
import { toRange, toSpan } from '../lsp.ts';
import { runInSlices } from '../slices.ts';
import type { Feature, FeatureHost } from './feature.ts';

/** A text, its messages and both places of each value are kept in memory meanwhile. */
const MOST_CHARACTERS = 50_000_000;

/** So many conversions are kept for who shows both texts side by side. */
const MOST_KEPT = 8;

/** Messages in another protocol, and what a place of them became. */
export const convert: Feature = {
  name: 'convert',
  capabilities: () => ({}),
  register(host) {
    const kept = new KeptConversions(host);
    const { connection, documents } = host;
    documents.onClose(uri => kept.forget(uri));
    // By name: the typed overload cannot follow answers that may be errors.
    connection.onRequest<unknown, void>(CONVERT, (params: unknown, token: CancellationToken) => {
      if (!isConvertParams(params)) return wrongParams(CONVERT);
      const { uri } = params.source;
      const snapshot = uri === undefined ? undefined : documents.find(uri);
      if (uri !== undefined && !snapshot) return null;
      const work = { feature: 'convert', ...(snapshot && { uri: snapshot.uri, version: snapshot.version }) };
      return guardRequest<ConvertResult | null | ResponseError<void>, void>(host, work, null, token, () =>
        answer(host, { snapshot, params, token }, kept),
      );
    });
    connection.onRequest<unknown, void>(CONVERTED_AT, (params: unknown, token: CancellationToken) => {
      if (!isConvertedAtParams(params)) return wrongParams(CONVERTED_AT);
      const work = { feature: 'convertedAt' };
      return guardRequest<Range | null, void>(host, work, null, token, () => {
        const conversion = kept.find(params.keptAs);
        if (!conversion) return null;
        const { side, range } = params;
        const found = conversion.find(side, toSpan({ text: conversion.textOf(side) }, range));
        return found ? toRange({ text: conversion.textOf(otherSide(side)) }, found) : null;
      });
    });
  },
};

function wrongParams(method: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, `${method}: the parameters have not the agreed form`);
}

interface Asked {
  /** The document as it stood when the request came; undefined for a text from elsewhere. */
  readonly snapshot: Snapshot | undefined;
  readonly params: ConvertParams;
  readonly token: CancellationToken;
}

/**
 * Converts in slices, and stops where nobody waits any more. An edit stops it too, and a whole document starts again as it
 * stands then; a range means the version that it was asked of.
 */
async function answer(
  host: FeatureHost,
  asked: Asked,
  kept: KeptConversions,
): Promise<ConvertResult | null | ResponseError<void>> {
  const { params, token } = asked;
  const isBound = asked.snapshot === undefined || params.source.range !== undefined;
  for (let { snapshot } = asked; ;) {
    const source = snapshot ? fromDocument(snapshot, params) : fromText(params);
    if (!source) return null;
    const refused = refuseLong(source);
    if (refused) return refused;
    const newest = (): Snapshot | undefined => snapshot && host.documents.find(snapshot.uri);
    const stop = {
      get isCancellationRequested(): boolean {
        return token.isCancellationRequested || (!isBound && newest()?.version !== snapshot?.version);
      },
    };
    const conversion = await runInSlices(host, convertSource(source, params), stop);
    if (conversion) {
      if (params.keepAs !== undefined) kept.keep(params.keepAs, conversion, snapshot);
      return describe(source, conversion, snapshot);
    }
    snapshot = newest();
    if (token.isCancellationRequested || !snapshot) return null;
  }
}

/** Why a text is not converted; undefined where it may be. */
export function refuseLong({
  text: { length },
}: {
  readonly text: { readonly length: number };
}): ResponseError<void> | undefined {
  if (length <= MOST_CHARACTERS) return undefined;
  return new ResponseError(
    LSPErrorCodes.RequestFailed,
    `The text has ${length} characters, and at most ${MOST_CHARACTERS} are converted in the editor: convert the file with 'parley convert'`,
  );
}

/** Undefined where the range touches no message. */
function fromDocument(
  { document }: Snapshot,
  { source: { range, from } }: ConvertParams,
): ConversionSource | undefined {
  const within = range && messagesAt(document, toSpan(document, range));
  if (range && !within) return undefined;
  return {
    text: document.text,
    from: from ?? document.language,
    within,
    tools: document.tools(within),
  };
}

function fromText({ source: { text = '', from } }: ConvertParams): ConversionSource {
  return { text: SourceText.of(text), from, within: undefined };
}

function describe(
  { text, within }: ConversionSource,
  conversion: Conversion,
  snapshot: Snapshot | undefined,
): ConvertResult {
  const { converted } = conversion;
  return {
    version: snapshot?.version ?? 0,
    text: converted.text,
    from: converted.messages.map(({ from }) => from),
    source: toRange({ text }, within ?? { start: 0, end: text.length }),
    findings: listFindings(conversion),
    untold: converted.untold,
  };
}

interface Kept {
  readonly conversion: KeptConversion;
  /** The document that it was made of; undefined for a text from elsewhere. */
  readonly document: Pick<Snapshot, 'uri' | 'version'> | undefined;
}

/** The last conversions by the names that the client gave them. */
class KeptConversions {
  readonly #host: Pick<FeatureHost, 'documents'>;
  readonly #kept = new Map<string, Kept>();

  constructor(host: Pick<FeatureHost, 'documents'>) {
    this.#host = host;
  }

  keep(name: string, conversion: Conversion, snapshot: Snapshot | undefined): void {
    this.#kept.delete(name);
    const document = snapshot && { uri: snapshot.uri, version: snapshot.version };
    this.#kept.set(name, { conversion: new KeptConversion(conversion), document });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Undefined for one whose document was edited since: its places mean another text. */
  find(name: string): KeptConversion | undefined {
    const { conversion, document } = this.#kept.get(name) ?? {};
    const isOld = document && this.#host.documents.find(document.uri)?.version !== document.version;
    return isOld ? undefined : conversion;
  }

  forget(uri: string): void {
    for (const [name, { document }] of this.#kept) if (document?.uri === uri) this.#kept.delete(name);
  }
}
