import { isSecretHeader } from '../../core/secrets/redact.ts';
import { isSecretArgument, isSecretName } from '../../core/secrets/secret-name.ts';
import type { AgentPlace } from '../config/edit-agents-file.ts';

/** True for an environment variable that is set. */
export type HasVariable = (name: string) => boolean;

/** A place without credentials, and these by the names of the secrets that replace them. */
export interface ProtectedPlace {
  readonly place: AgentPlace;
  readonly secrets: ReadonlyMap<string, string>;
}

/** Variables of our own files, which other programs have too. */
const OWN_VARIABLE = /^\$\{(?:env|input|secret|demo):[^{}]*\}$|^\$\{workspaceFolder\}$/;

/** `${X}`, `${env:X}`, `${X:-default}` and `$X`, as other programs write variables. */
const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-[^{}]*)?\}|\$([A-Za-z_]\w*)/g;

/** What documentation writes in place of a credential. */
const PLACEHOLDER =
  /^(?:$|<.*>|\[.*\]|\{+[^{}]*\}+|\.{3}|…|x{3,}|\*{3,}|(?:(?:sk|pk|ghp|github_pat|xoxb|key|token)[-_])?(?:your|my|insert|replace|enter|add|paste|change|put|some|example)(?:[-_ ].*|[A-Z].*|me.*)|(?:your|my).*|.*[-_ ](?:here|goes[-_ ]here)|[a-z_ -]*(?:api|access)[-_ ]?(?:key|token)[a-z_ -]*|secret|token|key|password|changeme|sk-\.{3}|[A-Za-z_-]*(?:\.{3}|…))$/i;

/**
 * Replaces the credentials of an agent by secrets, and the variables of other programs by ours. A secret without a value,
 * which is a placeholder of documentation, is asked for when it is first needed.
 */
export function protectPlace(place: AgentPlace, agent: string, hasVariable: HasVariable): ProtectedPlace {
  const secrets = new Map<string, string>();
  const keep = (name: string, value: string): string => {
    const secret = nameSecret(agent, name);
    if (!PLACEHOLDER.test(value)) secrets.set(secret, value);
    return `\${secret:${secret}}`;
  };
  const translate = (text: string): string => translateVariables(text, agent, hasVariable);
  const protect = (name: string, value: string): string => {
    const text = translate(value);
    if (/\$\{/.test(text)) return text;
    const [scheme = ''] = /^(?:Bearer|Basic|Token|ApiKey) /i.exec(text) ?? [];
    return `${scheme}${keep(name, text.slice(scheme.length).trim())}`;
  };
  if (place.type === 'http') {
    const headers = [...(place.headers ?? [])].map(
      ([name, value]) => [name, isSecretHeader(name) ? protect(name, value) : translate(value)] as const,
    );
    const url = translate(place.url).replace(
      /([?&])([^=?&#\s]+)=([^&#\s]+)/g,
      (whole, mark: string, name: string, value: string) =>
        isSecretName(name, 'other') ? `${mark}${name}=${protect(name, value)}` : whole,
    );
    return { place: { ...place, url, headers: new Map(headers) }, secrets };
  }
  const env = [...(place.env ?? [])].map(
    ([name, value]) => [name, isSecretName(name, 'other') ? protect(name, value) : translate(value)] as const,
  );
  const args = place.args.map((arg, at) => {
    const [, option = '', value = ''] = /^(--?[\w-]+=)(.+)$/.exec(arg) ?? [];
    if (option !== '' && isSecretName(option, 'other')) return `${option}${protect(option, value)}`;
    const before = place.args[at - 1] ?? '';
    return isSecretArgument(arg, before) ? protect(before, arg) : translate(arg);
  });
  return { place: { ...place, command: translate(place.command), args, env: new Map(env) }, secrets };
}

function translateVariables(text: string, agent: string, hasVariable: HasVariable): string {
  return text.replace(VARIABLE, (whole, braced: string | undefined, plain: string | undefined) => {
    const name = braced ?? plain ?? '';
    if (OWN_VARIABLE.test(whole) && !whole.startsWith('${env:')) return whole;
    if (name === 'workspaceFolder' || (plain !== undefined && !/^[A-Z_][A-Z0-9_]*$/.test(plain)))
      return whole;
    if (/^(?:userHome|HOME)$/.test(name)) return '${env:HOME}';
    return isSecretName(name, 'other') && !hasVariable(name)
      ? `\${secret:${nameSecret(agent, name)}}`
      : `\${env:${name}}`;
  });
}

/** The secret of an agent for a header, variable or option: `github-personal-access-token`. */
function nameSecret(agent: string, name: string): string {
  const slug = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-');
  const [own, what] = [slug(agent), slug(name === '' || /^authorization$/i.test(name) ? 'key' : name)];
  return what.startsWith(own) ? what : `${own}-${what}`;
}
