import { findEntry, textIn, type Value } from '../../core/values/value.ts';

/** The ids of the artifacts that a stream has had so far; undefined is an artifact without an id. */
export type SeenArtifacts = ReadonlySet<string | undefined>;

/** No artifacts, as at the beginning of a stream. */
export const NOTHING_SEEN: SeenArtifacts = new Set();

export function artifactId(artifact: Value | undefined): string | undefined {
  return textIn(findEntry(artifact, 'artifactId'));
}

/** The artifacts in an update or a task. */
export function listArtifacts(inner: Value | undefined): readonly Value[] {
  const [one, all] = [findEntry(inner, 'artifact'), findEntry(inner, 'artifacts')];
  return [...(one ? [one] : []), ...(all?.kind === 'list' ? all.items : [])];
}
