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
  type ConvertParams,
  type ConvertResult,
} from '../../../wire/conversion-requests.ts';
import {
  convertSource,
  StoredConversion,
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
import { messageLanguage } from '../../../core/catalog/languages.ts';

/** Maximum length of a text, because text, messages and both places of each value are held in memory. */
const MAX_CHARACTERS = 50_000_000;

/** Maximum number of stored conversions, which clients use to show both texts side by side. */
const MAX_RETAINED = 8;

/** Converts messages to another protocol, and maps places between both texts. */
export const convert: Feature = {
  name: 'convert',
  capabilities: () => ({}),
  register(host) {
    const stored = new StoredConversions(host);
    const { connection, documents } = host;
    documents.onClose(uri => stored.forget(uri));
    // Registered by name, because the typed overload does not support results that may be errors.
    connection.onRequest<unknown, void>(CONVERT.method, (params: unknown, token: CancellationToken) => {
      if (!CONVERT.isParams(params)) return wrongParams(CONVERT);
      const { uri } = params.source;
      const snapshot = uri === undefined ? undefined : documents.find(uri);
      if (uri !== undefined && !snapshot) return null;
      const work = { feature: 'convert', ...(snapshot && { uri: snapshot.uri, version: snapshot.version }) };
      return guardRequest<ConvertResult | null | ResponseError<void>, void>(host, work, null, token, () =>
        answer(host, { snapshot, params, token }, stored),
      );
    });
    connection.onRequest<unknown, void>(CONVERTED_AT.method, (params: unknown, token: CancellationToken) => {
      if (!CONVERTED_AT.isParams(params)) return wrongParams(CONVERTED_AT);
      const work = { feature: 'convertedAt' };
      return guardRequest<Range | null, void>(host, work, null, token, () => {
        const conversion = stored.find(params.keptAs);
        if (!conversion) return null;
        const { side, range } = params;
        const found = conversion.find(side, toSpan({ text: conversion.textOf(side) }, range));
        return found ? toRange({ text: conversion.textOf(otherSide(side)) }, found) : null;
      });
    });
  },
};

function wrongParams({ method }: { readonly method: string }): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, `${method}: the parameters have not the agreed form`);
}

interface PendingConversion {
  /** The document at the time of the request; undefined for a text from elsewhere. */
  readonly snapshot: Snapshot | undefined;
  readonly params: ConvertParams;
  readonly token: CancellationToken;
}

/**
 * Converts in slices; stops if the request is cancelled or the document edited. After an edit, the conversion
 * of a whole document starts again with the new version; a range belongs to its version.
 */
async function answer(
  host: FeatureHost,
  pending: PendingConversion,
  stored: StoredConversions,
): Promise<ConvertResult | null | ResponseError<void>> {
  const { params, token } = pending;
  const isBound = pending.snapshot === undefined || params.source.range !== undefined;
  for (let { snapshot } = pending; ;) {
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
      if (params.keepAs !== undefined) stored.keep(params.keepAs, conversion, snapshot);
      return describe(source, conversion, snapshot);
    }
    snapshot = newest();
    if (token.isCancellationRequested || !snapshot) return null;
  }
}

/** The error for a text that is too long; undefined otherwise. */
export function refuseLong({
  text: { length },
}: {
  readonly text: { readonly length: number };
}): ResponseError<void> | undefined {
  if (length <= MAX_CHARACTERS) return undefined;
  return new ResponseError(
    LSPErrorCodes.RequestFailed,
    `The text has ${length} characters, and at most ${MAX_CHARACTERS} are converted in the editor: convert the file with 'parley convert'`,
  );
}

/** Undefined if the range touches no message. */
function fromDocument(
  { document, settings }: Snapshot,
  { source: { range, from } }: ConvertParams,
): ConversionSource | undefined {
  const within = range && messagesAt(document, toSpan(document, range));
  if (range && !within) return undefined;
  return {
    text: document.plainText(),
    from: from ?? messageLanguage(document.language) ?? settings.protocol,
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
    unlisted: converted.unreported,
  };
}

interface StoredEntry {
  readonly conversion: StoredConversion;
  /** The document of the source; undefined for a text from elsewhere. */
  readonly document: Pick<Snapshot, 'uri' | 'version'> | undefined;
}

/** The latest conversions by the names that the client gave them. */
class StoredConversions {
  readonly #host: Pick<FeatureHost, 'documents'>;
  readonly #entries = new Map<string, StoredEntry>();

  constructor(host: Pick<FeatureHost, 'documents'>) {
    this.#host = host;
  }

  keep(name: string, conversion: Conversion, snapshot: Snapshot | undefined): void {
    this.#entries.delete(name);
    const document = snapshot && { uri: snapshot.uri, version: snapshot.version };
    this.#entries.set(name, { conversion: new StoredConversion(conversion), document });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_RETAINED && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Undefined if the document has been edited since, because the places refer to the old text. */
  find(name: string): StoredConversion | undefined {
    const { conversion, document } = this.#entries.get(name) ?? {};
    const isOld = document && this.#host.documents.find(document.uri)?.version !== document.version;
    return isOld ? undefined : conversion;
  }

  forget(uri: string): void {
    for (const [name, { document }] of this.#entries) if (document?.uri === uri) this.#entries.delete(name);
  }
}
