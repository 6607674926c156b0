import type { Import } from './graph.ts';

/** The folder of the extension's features; each folder in it is one feature. */
const FEATURES = 'client/src/features/';

/** The files that list the features. */
const LISTS = ['client/src/extension.ts', `${FEATURES}manifests.ts`];

/** Sentences about imports that make a feature depend on another, shared code on a feature, or a manifest on code. */
export function checkFeatures(imports: readonly Import[]): readonly string[] {
  return imports.flatMap(one => {
    const breach = findBreach(one);
    return breach === undefined ? [] : [`${one.from}:${one.line} imports '${one.specifier}': ${breach}`];
  });
}

function findBreach({ from, target }: Import): string | undefined {
  const feature = featureOf(from);
  const other = target.kind === 'file' ? featureOf(target.path) : undefined;
  if (feature === undefined)
    return other !== undefined && from.startsWith('client/') && !LISTS.includes(from)
      ? 'code that features share imports none of them'
      : undefined;
  if (from === `${FEATURES}${feature}/manifest.ts`)
    return target.kind === 'file' && target.path === `${FEATURES}manifest.ts`
      ? undefined
      : 'a manifest is data and imports only features/manifest.ts';
  return other === undefined || other === feature
    ? undefined
    : 'a feature imports no other feature; move what both use to a folder outside features/';
}

/** The name of the feature whose folder has a file; undefined if none has. */
function featureOf(path: string): string | undefined {
  if (!path.startsWith(FEATURES)) return undefined;
  const [name, ...rest] = path.slice(FEATURES.length).split('/');
  return rest.length > 0 ? name : undefined;
}
