import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { ProtocolName } from '../../../protocol/src/catalog/protocols.ts';
import { quote } from '../../../protocol/src/text/quote.ts';
import type { TlsOptions } from '../http/exchange.ts';
import type { AgentConfig } from './agent-config.ts';
import { checkUrl } from './agents-file.ts';
import { expandVariables, type Variables } from './variables.ts';

/** An agent that can be connected to: nothing in it is variable any more. */
export interface ResolvedAgent {
  readonly name: string;
  readonly protocol: ProtocolName;
  readonly url: URL;
  readonly headers: ReadonlyMap<string, string>;
  /** Milliseconds until a call is given up. */
  readonly timeout?: number;
  readonly contentType?: string;
  readonly tls: TlsOptions;
  /** Values of secret variables, and the names of headers that hold one: neither is ever stored nor shown. */
  readonly secrets: readonly string[];
  readonly secretHeaders: readonly string[];
}

export type Resolution =
  { readonly ok: true; readonly agent: ResolvedAgent } | { readonly ok: false; readonly message: string };

/**
 * Replaces an agent's variables and reads its certificates; their paths are relative to the workspace folder. A failure is one sentence that names what is
 * missing.
 */
export async function resolveAgent(config: AgentConfig, variables: Variables): Promise<Resolution> {
  const fail = (message: string): Resolution => ({
    ok: false,
    message: `The agent ${quote(config.name)}: ${message}`,
  });
  const url = await expandVariables(config.url, variables, config.inputs);
  if (!url.ok) return fail(url.message);
  const urlFault = checkUrl(url.text, config.url);
  if (urlFault !== undefined) return fail(urlFault);
  const secrets = [...url.secrets];
  const secretHeaders: string[] = [];
  const headers = new Map<string, string>();
  for (const [name, value] of config.headers) {
    const expanded = await expandVariables(value, variables, config.inputs);
    if (!expanded.ok) return fail(expanded.message);
    if (!isHeaderValue(expanded.text)) {
      return fail(`the header ${quote(name)} holds a character that no header may carry; remove it`);
    }
    if (expanded.holdsSecret) secretHeaders.push(name);
    secrets.push(...expanded.secrets);
    headers.set(name, expanded.text);
  }
  const tls = await readTls(config, variables);
  if (!tls.ok) return fail(tls.message);
  const { name, protocol, timeout, contentType } = config;
  return {
    ok: true,
    agent: {
      name,
      protocol,
      url: new URL(url.text),
      headers,
      ...(timeout === undefined ? {} : { timeout: timeout * 1000 }),
      ...(contentType === undefined ? {} : { contentType }),
      tls: tls.options,
      secrets: [...new Set(secrets)],
      secretHeaders,
    },
  };
}

/** HTTP carries Latin-1 in header values, and no control character but TAB (RFC 9110 section 5.5). */
function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

type TlsReading =
  { readonly ok: true; readonly options: TlsOptions } | { readonly ok: false; readonly message: string };

async function readTls({ tls, inputs }: AgentConfig, variables: Variables): Promise<TlsReading> {
  const files = new Map<'ca' | 'cert' | 'key', string>();
  for (const option of ['ca', 'cert', 'key'] as const) {
    const path = tls[option];
    if (path === undefined) continue;
    const expanded = await expandVariables(path, variables, inputs);
    if (!expanded.ok) return expanded;
    const folder = isAbsolute(expanded.text)
      ? { ok: true as const, text: '' }
      : await expandVariables('${workspaceFolder}', variables, inputs);
    if (!folder.ok) return folder;
    try {
      files.set(option, await readFile(join(folder.text, expanded.text), 'utf8'));
    } catch {
      return {
        ok: false,
        message: `the file ${quote(path)} of 'tls.${option}' cannot be read; correct its path`,
      };
    }
  }
  const [ca, cert, key] = [files.get('ca'), files.get('cert'), files.get('key')];
  return {
    ok: true,
    options: {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(tls.allowSelfSigned === undefined ? {} : { allowSelfSigned: tls.allowSelfSigned }),
    },
  };
}
