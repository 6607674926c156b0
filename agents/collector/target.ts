import { findCredentials, Redactor } from '../../core/secrets/redact.ts';
import { checkUrl, findHeaderNameFault, isHeaderValue } from '../config/agent-config.ts';
import { expandVariables, type Variables } from '../config/variables.ts';
import { trimEndOf } from '../../core/text/trim.ts';

/** A collector as a setting or a command line names it; any part may contain variables such as `${secret:X}`. */
export interface TargetConfig {
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
}

/** A server for traces with all variables replaced. */
export interface TraceTarget {
  readonly url: URL;
  readonly headers: ReadonlyMap<string, string>;
  /** Replaces what is never shown of it. */
  readonly redactor: Redactor;
}

export type ResolvedTarget =
  | { readonly ok: true; readonly target: TraceTarget }
  /** A sentence for the user. */
  | { readonly ok: false; readonly message: string };

/** Replaces the variables of a server's address and headers. */
export async function resolveTarget(config: TargetConfig, variables: Variables): Promise<ResolvedTarget> {
  const url = await expandVariables(config.url, variables, new Map());
  if (!url.ok) return url;
  const fault = checkUrl(url.text, config.url);
  if (fault !== undefined) return { ok: false, message: fault };
  const headers = new Map<string, string>();
  const secrets = [...url.secrets];
  for (const [name, value] of config.headers) {
    const expanded = await expandVariables(value, variables, new Map());
    if (!expanded.ok) return expanded;
    const nameFault = findHeaderNameFault(name);
    if (nameFault !== undefined) return { ok: false, message: nameFault };
    if (!isHeaderValue(expanded.text))
      return {
        ok: false,
        message: `The header '${name}' contains a character that is not allowed in a header; remove it`,
      };
    secrets.push(...expanded.secrets);
    headers.set(name.toLowerCase(), expanded.text);
  }
  const redactor = new Redactor([...secrets, ...findCredentials(url.text, headers)]);
  return { ok: true, target: { url: new URL(url.text), headers, redactor } };
}

/** The address for traces: the collector's own with `/v1/traces` at its end, unless it already ends so. */
export function tracesUrl(url: URL): URL {
  const path = trimEndOf(url.pathname, '/');
  const traces = new URL(url);
  traces.pathname = path.endsWith('/v1/traces') ? path : `${path}/v1/traces`;
  return traces;
}
