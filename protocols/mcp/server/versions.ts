import { decodeBase64 } from '../../../core/text/base64.ts';
import { textOf } from '../../../core/text/utf8.ts';
import {
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';
import { dictOf } from '../../message/dicts.ts';
import type { CallerRequest } from '../../serving/serving.ts';
import { MCP_HANDSHAKE_VERSION, MCP_VERSION_KEY } from '../names.ts';
import { CODES, fail, type Answer, type CallerMessage } from './frames.ts';

/** The versions with a handshake, the newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  MCP_HANDSHAKE_VERSION,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
];

/** The version without a handshake. */
export const MODERN_VERSION = '2026-07-28';

/** The version of a request over HTTP that names none (MCP 2025-11-25, "Protocol Version Header"). */
export const UNNAMED_VERSION = '2025-03-26';

/** The versions whose callers may send several messages as one array. */
export const BATCH_VERSIONS: ReadonlySet<string> = new Set(['2025-03-26', '2024-11-05']);

const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** The version that a session has, by the one that its caller wants. */
export function negotiate(wanted: string | undefined): string {
  return LEGACY_VERSIONS.find(version => version === wanted) ?? MCP_HANDSHAKE_VERSION;
}

/** What a request says about its version: a modern one has it with the caller's capabilities in `_meta`. */
export type Claim =
  | { readonly kind: 'legacy' }
  | { readonly kind: 'modern'; readonly capabilities: DictValue }
  /** The request contradicts itself, or has a version that is not served. */
  | { readonly kind: 'fault'; readonly answer: Answer };

/** The member of the parameters that the header `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** Reads what a message says about its version, whose headers count over HTTP. */
export function readClaim(
  message: Exclude<CallerMessage, { kind: 'answer' }>,
  request: CallerRequest,
): Claim {
  const meta = findEntry(message.params, '_meta');
  const claimed = findEntry(meta, MCP_VERSION_KEY);
  const header = request.header('mcp-protocol-version')?.trim();
  const isModernHeader = header !== undefined && header >= MODERN_VERSION;
  if (!claimed) {
    if (!isModernHeader) return { kind: 'legacy' };
    if (message.kind === 'notification') return { kind: 'modern', capabilities: dictOf({}) };
    return fault(
      CODES.invalidParameters,
      `The header MCP-Protocol-Version names ${header}, so the request needs '${MCP_VERSION_KEY}' and '${CAPABILITIES_KEY}' in 'params._meta'`,
    );
  }
  const version = textIn(claimed);
  if (version === undefined)
    return fault(CODES.invalidParameters, `'${MCP_VERSION_KEY}' in 'params._meta' is not a text`);
  if (message.method === 'initialize' && version < MODERN_VERSION) return { kind: 'legacy' };
  if (request.method !== '') {
    const mismatch = findMismatch(message, version, request);
    if (mismatch !== undefined) return fault(CODES.headerMismatch, mismatch);
  }
  if (version !== MODERN_VERSION) return { kind: 'fault', answer: unsupported(version) };
  const capabilities = findEntry(meta, CAPABILITIES_KEY);
  if (capabilities?.kind === 'dict') return { kind: 'modern', capabilities };
  if (message.kind === 'notification') return { kind: 'modern', capabilities: dictOf({}) };
  return fault(
    CODES.invalidParameters,
    `'${CAPABILITIES_KEY}' in 'params._meta' is missing or not an object`,
  );
}

function fault(code: number, text: string): Claim {
  return { kind: 'fault', answer: fail(code, text) };
}

/** The answer to a version that is not served. */
export function unsupported(version: string): Answer {
  const supported = listValue([MODERN_VERSION, ...LEGACY_VERSIONS].map(textValue));
  return fail(
    CODES.unsupportedVersion,
    `Unsupported protocol version ${version}; send ${MODERN_VERSION}, or 'initialize' for an older one`,
    dictOf({ supported, requested: textValue(version) }),
  );
}

/** Why the headers of a modern request contradict its body, or which one is missing, as a sentence. */
function findMismatch(
  { kind, method, params }: Exclude<CallerMessage, { kind: 'answer' }>,
  version: string,
  request: CallerRequest,
): string | undefined {
  const named = NAMED[method];
  const wanted: readonly (readonly [string, string | undefined])[] = [
    ['MCP-Protocol-Version', version],
    ['Mcp-Method', method],
    ['Mcp-Name', named === undefined ? undefined : textIn(findEntry(params, named))],
  ];
  for (const [name, value] of wanted) {
    const header = request.header(name.toLowerCase())?.trim();
    if (value === undefined) continue;
    // A notification needs no headers, but they must be right.
    if (header === undefined && kind === 'notification') continue;
    if (header === undefined) return `The header ${name} is missing; the body says ${value}`;
    const given = name === 'Mcp-Name' ? decodeHeader(header) : header;
    if (given !== value) return `The header ${name} says ${header}, and the body says ${value}`;
  }
  return undefined;
}

/** A header value that is not plain ASCII is `=?base64?…?=`. */
function decodeHeader(header: string): string | undefined {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header)?.[1];
  const bytes = encoded === undefined ? undefined : decodeBase64(encoded);
  return encoded === undefined ? header : bytes && textOf(bytes);
}

/** True for a capability of the caller, such as `elicitation` with the mode `url`. */
export function declares(capabilities: Value | undefined, name: string, mode?: string): boolean {
  const declared = findEntry(capabilities, name);
  if (declared?.kind !== 'dict') return false;
  if (mode === undefined || findEntry(declared, mode)) return true;
  // Before modes, `elicitation: {}` meant forms.
  return mode === 'form' && findEntry(declared, 'url') === undefined;
}
