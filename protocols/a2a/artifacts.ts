import { findEntry, textIn, type Value } from '../../core/values/value.ts';

/** The ids of the artifacts that a stream has told so far; undefined is one without an id. */
export type SeenArtifacts = ReadonlySet<string | undefined>;

/** No artifact, as at the beginning of a stream. */
export const NOTHING_SEEN: SeenArtifacts = new Set();

/** The id of an artifact. */
export function artifactId(artifact: Value | undefined): string | undefined {
  return textIn(findEntry(artifact, 'artifactId'));
}

/** The artifacts that an update or a task tells. */
export function listArtifacts(inner: Value | undefined): readonly Value[] {
  const [one, all] = [findEntry(inner, 'artifact'), findEntry(inner, 'artifacts')];
  return [...(one ? [one] : []), ...(all?.kind === 'list' ? all.items : [])];
}
