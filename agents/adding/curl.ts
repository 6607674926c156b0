import { readFields, readText } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { findProtocol, type ProtocolName, type ProtocolRow } from '../../core/catalog/protocols.ts';
import type { Protocols } from '../../protocols/protocol.ts';
import { recogniseRequest } from '../../protocols/recognise/request.ts';
import { checkUrl, findHeaderNameFault } from '../config/agent-config.ts';
import type { FoundAgent } from './pasted.ts';
import type { ShellCommand } from './split-words.ts';

/** Options of curl that take a value and do not matter here. */
const WITH_VALUE =
  /^(?:-[oTAexmbcw]|--(?:output|user-agent|referer|proxy|max-time|connect-timeout|cookie|cookie-jar|write-out|retry|cacert|cert|key))$/;

/** Headers that every client sets itself. */
const OWN = /^(?:content-type|accept|content-length|user-agent|host|accept-encoding|connection)$/i;

/** Reads a curl command: the address, the headers, and the protocol and model of the body. Undefined for others. */
export function readCurlCommand({ words }: ShellCommand, protocols: Protocols): FoundAgent | undefined {
  if (!/^curl(?:\.exe)?$/i.test(words[0] ?? '')) return undefined;
  const headers = new Map<string, string>();
  let url: string | undefined;
  let body = '';
  for (let at = 1; at < words.length; at++) {
    const [option, given] = splitOption(words[at] ?? '');
    const value = (): string => given ?? words[++at] ?? '';
    if (/^(?:-H|--header)$/.test(option)) readHeader(value(), headers);
    else if (/^(?:-d|--data(?:-raw|-binary|-ascii|-urlencode)?|--json)$/.test(option)) body += value();
    else if (option === '--url') url = value();
    else if (/^(?:-u|--user)$/.test(option)) headers.set('Authorization', `Basic ${btoa(value())}`);
    else if (/^(?:-X|--request)$/.test(option) || WITH_VALUE.test(option)) value();
    else if (!option.startsWith('-')) url ??= option;
  }
  if (url === undefined || (checkUrl(url) !== undefined && !url.includes('$'))) return undefined;
  const path = url.replace(/^\w+:\/\/[^/]*/, '');
  const { protocol } = recogniseRequest({ method: 'POST', path, headers: [], text: body }, protocols);
  const row: ProtocolRow | undefined = findProtocol(protocol);
  const known: ProtocolName | undefined = body === '' ? undefined : findProtocol(protocol)?.name;
  const model = row?.takesModel ? readText(readFields(parseJson(body))?.get('model')) : undefined;
  const own = [...headers].filter(
    ([name]) => !OWN.test(name) && findHeaderNameFault(name) === undefined && !/^mcp-|^a2a-/i.test(name),
  );
  return {
    name: '',
    protocol: known,
    place: { type: 'http', url, headers: new Map(own), ...(model === undefined ? {} : { model }) },
  };
}

/** An option with a value that follows at once: `-HAccept: x`, `--header=x`. */
function splitOption(word: string): readonly [option: string, value?: string] {
  const [, long, value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
  if (long !== undefined && value !== undefined) return [long, value];
  return /^-[HduX]./.test(word) ? [word.slice(0, 2), word.slice(2)] : [word];
}

function readHeader(line: string, headers: Map<string, string>): void {
  const colon = line.indexOf(':');
  if (colon > 0) headers.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
}
