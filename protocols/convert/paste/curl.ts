import type { Protocols } from '../../protocol.ts';
import { quote } from '../../../core/text/quote.ts';
import { splitShellWords } from './shell-words.ts';

/** The body that a cURL command sends, or the reason why it cannot be determined. */
export type CurlBody =
  | {
      readonly kind: 'ok';
      readonly body: string;
      /** The address as written, without variables expanded. */
      readonly url: string;
      /** The protocol that the URL implies; undefined if it implies none. */
      readonly from: string | undefined;
      /** Parts of the command that are not in the body, and why; sentences without a full stop. */
      readonly remarks: readonly string[];
    }
  | { readonly kind: 'fault'; readonly problem: string };

/** Names of headers with credentials. */
const CREDENTIAL_HEADER =
  /^(?:proxy-)?authorization$|^cookie$|^(?:x-)?(?:aip-)?(?:api-?key|auth(?:-?token)?)$|token|secret/i;

/** Options of cURL that take a value and do not affect the body. */
const VALUED = new Set(
  (
    'request header url user user-agent referer cookie cookie-jar output max-time connect-timeout proxy proxy-user ' +
    'cert key cacert capath resolve connect-to interface retry retry-delay retry-max-time write-out config range ' +
    'oauth2-bearer form form-string upload-file limit-rate ciphers tls-max dump-header unix-socket max-redirs ' +
    'aws-sigv4 cert-type key-type pass request-target trace trace-ascii stderr'
  ).split(' '),
);
const DATA = new Set(['data', 'data-ascii', 'data-binary', 'data-raw', 'data-urlencode', 'json']);

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['d', 'data'],
  ['X', 'request'],
  ['H', 'header'],
  ['u', 'user'],
  ['A', 'user-agent'],
  ['e', 'referer'],
  ['b', 'cookie'],
  ['c', 'cookie-jar'],
  ['o', 'output'],
  ['m', 'max-time'],
  ['x', 'proxy'],
  ['U', 'proxy-user'],
  ['E', 'cert'],
  ['w', 'write-out'],
  ['K', 'config'],
  ['r', 'range'],
  ['F', 'form'],
  ['T', 'upload-file'],
  ['D', 'dump-header'],
]);

export function isCurl(text: string): boolean {
  return /^\s*(?:\$[ \t]+)?curl(?:\.exe)?[ \t\\^\r\n]/.test(text);
}

/** Reads the body of a cURL command; headers and credentials are left out. Linear. */
export function readCurl(text: string, protocols: Protocols): CurlBody {
  if (/\^(?:"|\r?\n)/.test(text))
    return fault('This cURL command is written for cmd.exe. Copy it as cURL for bash, and paste that');
  const split = splitShellWords(text.replace(/^\s*\$[ \t]+/, ''));
  if (split.kind === 'fault') return split;
  const found = new CurlOptions(split.words.slice(1));
  if (found.problem !== undefined) return fault(found.problem);
  if (found.body === '')
    return fault('This cURL command has no body: there is no -d, --data or --json in it');
  const { rest, hasVariable } = split;
  return {
    kind: 'ok',
    body: found.body,
    url: found.url,
    from: protocols.list.find(({ requests }) => requests.endpoint?.test(pathOf(found.url)))?.facts.name,
    remarks: [
      ...found.listRemarks(),
      ...(hasVariable ? ['Variables of the shell are not expanded'] : []),
      ...(rest === '' ? [] : [`${quote(rest)} after the command is left out`]),
    ],
  };
}

/** Collects the options of a command. */
class CurlOptions {
  problem: string | undefined;
  url = '';
  #data: string[] = [];
  #json: string[] = [];
  readonly #credentials: string[] = [];

  constructor(words: readonly string[]) {
    for (let at = 0; at < words.length && this.problem === undefined; at++) {
      const { name, value, isOption } = readOption(words[at] ?? '');
      if (!isOption) this.#addUrl(value ?? '');
      else if (!takesValue(name)) continue;
      else if (value !== undefined) this.#add(name, value);
      else this.#add(name, words[++at] ?? '');
    }
  }

  get body(): string {
    return this.#data.join('&') + this.#json.join('');
  }

  listRemarks(): readonly string[] {
    return this.#credentials.length === 0
      ? []
      : [`${this.#credentials.join(', ')}: not pasted, because credentials belong in the agents file`];
  }

  #addUrl(word: string): void {
    if (this.url === '') this.url = word;
  }

  #add(name: string, value: string): void {
    if (DATA.has(name)) this.#addData(name, value);
    else if (name === 'url') this.#addUrl(value);
    else if (name === 'header') this.#addHeader(value);
    else if (['user', 'oauth2-bearer', 'cookie', 'proxy-user', 'pass'].includes(name))
      this.#credentials.push(`--${name}`);
    else if (['form', 'form-string', 'upload-file'].includes(name))
      this.problem = `--${name} sends a form or a file, and no message`;
  }

  #addData(name: string, value: string): void {
    if (name === 'data-urlencode') this.problem = '--data-urlencode sends a form, and no message';
    else if (value.startsWith('@') && name !== 'data-raw')
      this.problem = `The body is in the file ${quote(value.slice(1))}: open that file and convert it`;
    else if (name === 'json') this.#json.push(value);
    // Unlike cURL, line ends are retained for -d as well, because no message depends on their removal.
    else this.#data.push(value);
  }

  #addHeader(value: string): void {
    const name = value.slice(0, Math.max(0, value.indexOf(':'))).trim();
    if (CREDENTIAL_HEADER.test(name)) this.#credentials.push(name);
  }
}

function takesValue(name: string): boolean {
  return DATA.has(name) || VALUED.has(name);
}

interface Option {
  readonly isOption: boolean;
  readonly name: string;
  /** A value in the same word; the whole word if it is no option. */
  readonly value: string | undefined;
}

function readOption(word: string): Option {
  if (word.startsWith('--') && word.length > 2) {
    const equals = word.indexOf('=');
    return equals < 0
      ? { isOption: true, name: word.slice(2), value: undefined }
      : { isOption: true, name: word.slice(2, equals), value: word.slice(equals + 1) };
  }
  if (!word.startsWith('-') || word.length < 2) return { isOption: false, name: '', value: word };
  // `-sSX POST`: letters without a value, then at most one with a value.
  for (let at = 1; at < word.length; at++) {
    const name = LETTERS.get(word.charAt(at));
    if (name === undefined) continue;
    const value = word.slice(at + 1);
    return { isOption: true, name, value: value === '' ? undefined : value };
  }
  return { isOption: true, name: '', value: undefined };
}

function pathOf(url: string): string {
  return url.replace(/[?#].*/s, '');
}

function fault(problem: string): CurlBody {
  return { kind: 'fault', problem };
}
