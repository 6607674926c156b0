import type { Value } from '../../core/values/value.ts';

/** The version of a handshake, which can name only one; undefined for none or several. */
export function onlyVersion(supported: Value | undefined): Value | undefined {
  const [version, ...others] = supported?.kind === 'list' ? supported.items : [];
  return version?.kind === 'text' && others.length === 0 ? version : undefined;
}
