import { defined } from '../../core/text/fields.ts';
import { isAbsolute, join, resolve as resolvePath } from 'node:path';
import { quote } from '../../core/text/quote.ts';
import { uniqueSecrets, type Secret } from '../../core/text/secret.ts';
import { SHORTEST_TOKEN } from '../../core/secrets/redact.ts';
import { isSecretName } from '../../core/secrets/secret-name.ts';
import type { TlsOptions } from '../http/exchange.ts';
import { FileRefusal, MAX_CONFIG_BYTES, readRegularFile } from '../regular-file.ts';
import {
  checkUrl,
  type AgentConfig,
  type HttpAgentConfig,
  type OAuthConfig,
  type QuirksOption,
  type StdioAgentConfig,
  type StdioMode,
  isHeaderValue,
} from './agent-config.ts';
import { expandVariables, type Variables } from './variables.ts';

/** An agent that can be connected to: all variables are replaced. */
export type ResolvedAgent = ResolvedHttpAgent | ResolvedStdioAgent;

interface ResolvedCommon {
  readonly name: string;
  /** Milliseconds until a call times out. */
  readonly timeout?: number;
  /** Values of secret variables, and the names of headers that contain one: neither is ever stored or shown. */
  readonly secrets: readonly Secret[];
  readonly secretHeaders: readonly string[];
}

export interface ResolvedHttpAgent extends ResolvedCommon {
  readonly type: 'http';
  readonly protocol: string;
  readonly url: URL;
  readonly headers: ReadonlyMap<string, string>;
  readonly contentType?: string;
  readonly tls: TlsOptions;
  readonly quirks?: QuirksOption;
  readonly model?: string;
  readonly oauth?: OAuthConfig;
}

export interface ResolvedStdioAgent extends ResolvedCommon {
  readonly type: 'stdio';
  readonly protocol: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables in addition to ours. */
  readonly env: ReadonlyMap<string, string>;
  /** The folder in which it runs, as an absolute path. */
  readonly cwd: string;
  readonly mode?: StdioMode;
}

export type Resolution =
  | { readonly ok: true; readonly agent: ResolvedAgent }
  | { readonly ok: false; readonly message: string };

/**
 * Replaces an agent's variables and reads its certificates; paths are relative to the workspace folder. A
 * failure is one sentence that names what is missing.
 */
export async function resolveAgent(config: AgentConfig<string>, variables: Variables): Promise<Resolution> {
  const resolution =
    config.type === 'http' ? await resolveHttp(config, variables) : await resolveStdio(config, variables);
  return resolution.ok
    ? resolution
    : { ok: false, message: `The agent ${quote(config.name)}: ${resolution.message}` };
}

async function resolveHttp(config: HttpAgentConfig<string>, variables: Variables): Promise<Resolution> {
  const url = await expandVariables(config.url, variables, config.inputs);
  if (!url.ok) return url;
  const urlFault = checkUrl(url.text, config.url);
  if (urlFault !== undefined) return { ok: false, message: urlFault };
  const secrets = [...url.secrets];
  const secretHeaders: string[] = [];
  const headers = new Map<string, string>();
  for (const [name, value] of config.headers) {
    const expanded = await expandVariables(value, variables, config.inputs);
    if (!expanded.ok) return expanded;
    if (!isHeaderValue(expanded.text)) {
      const message = `the header ${quote(name)} contains a character that is not allowed in a header; remove it`;
      return { ok: false, message };
    }
    if (expanded.holdsSecret) secretHeaders.push(name);
    secrets.push(...expanded.secrets);
    headers.set(name, expanded.text);
  }
  if (!isHeaderValue(config.contentType ?? ''))
    return {
      ok: false,
      message: "the 'contentType' contains a character that is not allowed in a header; remove it",
    };
  const tls = await readTls(config, variables);
  if (!tls.ok) return tls;
  const oauth = new Map<string, string>();
  for (const [key, text] of Object.entries<string>({ ...config.oauth })) {
    const expanded = await expandVariables(text, variables, config.inputs);
    if (!expanded.ok) return expanded;
    secrets.push(...expanded.secrets);
    oauth.set(key, expanded.text);
  }
  const { name, protocol, timeout, contentType, quirks, model } = config;
  return {
    ok: true,
    agent: defined({
      type: 'http',
      name,
      protocol,
      url: new URL(url.text),
      headers,
      ...(timeout === undefined ? {} : { timeout: timeout * 1000 }),
      contentType,
      tls: tls.options,
      quirks,
      model,
      oauth: config.oauth && Object.fromEntries(oauth),
      secrets: uniqueSecrets(secrets),
      secretHeaders,
    }),
  };
}

async function resolveStdio(config: StdioAgentConfig<string>, variables: Variables): Promise<Resolution> {
  const secrets: Secret[] = [];
  const expand = async (text: string, what: string): Promise<Expanded> => {
    const expanded = await expandVariables(text, variables, config.inputs);
    if (!expanded.ok) return expanded;
    // The system ends a text at this character: the process would receive something else than is shown.
    if (expanded.text.includes('\0'))
      return { ok: false, message: `${what} holds the character U+0000; remove it` };
    secrets.push(...expanded.secrets);
    return { ok: true, text: expanded.text };
  };
  const command = await expand(config.command, "the 'command'");
  if (!command.ok) return command;
  const args: string[] = [];
  for (const each of config.args) {
    const expanded = await expand(each, `the argument ${quote(each)}`);
    if (!expanded.ok) return expanded;
    args.push(expanded.text);
  }
  const env = new Map<string, string>();
  for (const [name, value] of config.env) {
    const expanded = await expand(value, `the environment variable ${quote(name)}`);
    if (!expanded.ok) return expanded;
    env.set(name, expanded.text);
    if (expanded.text.length >= SHORTEST_TOKEN && isSecretName(name, 'other')) secrets.push(expanded.text);
  }
  const cwd = await expand(config.cwd ?? '${workspaceFolder}', "the 'cwd'");
  if (!cwd.ok) return cwd;
  const folder = isAbsolute(cwd.text) ? cwd : await expand('${workspaceFolder}', 'the workspace folder');
  if (!folder.ok) return folder;
  const { name, protocol, timeout, mode } = config;
  return {
    ok: true,
    agent: defined({
      type: 'stdio',
      name,
      protocol,
      command: command.text,
      args,
      env,
      cwd: resolvePath(folder.text, cwd.text),
      mode,
      ...(timeout === undefined ? {} : { timeout: timeout * 1000 }),
      secrets: uniqueSecrets(secrets),
      secretHeaders: [],
    }),
  };
}

type Expanded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

type TlsReading =
  | { readonly ok: true; readonly options: TlsOptions }
  | { readonly ok: false; readonly message: string };

async function readTls({ tls, inputs }: HttpAgentConfig<string>, variables: Variables): Promise<TlsReading> {
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
      files.set(
        option,
        (await readRegularFile(join(folder.text, expanded.text), MAX_CONFIG_BYTES)).toString(),
      );
    } catch (error) {
      return {
        ok: false,
        message: `the file ${quote(path)} of 'tls.${option}' ${error instanceof FileRefusal ? error.message : 'cannot be read'}; correct its path`,
      };
    }
  }
  const [ca, cert, key] = [files.get('ca'), files.get('cert'), files.get('key')];
  return {
    ok: true,
    options: defined({ ca, cert, key, allowSelfSigned: tls.allowSelfSigned }),
  };
}
