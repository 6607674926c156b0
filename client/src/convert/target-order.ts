import { CONVERSIONS, type ConversionName } from '../../../core/catalog/conversions.ts';

/** What is known before a protocol is asked for. */
export interface TargetQuestion {
  /** The protocol of all messages; undefined where they are of several, or not known yet. */
  readonly own?: ConversionName | undefined;
  /** The one that was converted to last. */
  readonly last?: ConversionName | undefined;
  /** The one that is shown now. */
  readonly current?: ConversionName | undefined;
}

/** A protocol as a row of a list. */
export interface Target {
  readonly name: ConversionName;
  readonly label: string;
  readonly description: string;
}

/** Rows below one title, or below none. */
export interface TargetGroup {
  readonly title: string | undefined;
  readonly targets: readonly Target[];
}

/** The protocols that messages can be shown in: the last one first, their own last, because it only lays them out anew. */
export function groupTargets({ own, last, current }: TargetQuestion): readonly TargetGroup[] {
  const targets = CONVERSIONS.map(({ name, short, title }): Target => {
    const description = name === own ? 'the same messages in one clean layout' : title;
    return { name, label: short, description: name === current ? `${description} (shown now)` : description };
  });
  const recent = targets.filter(({ name }) => name === last && name !== own);
  const others = targets.filter(({ name }) => name !== own && !recent.some(one => one.name === name));
  const same = targets.filter(({ name }) => name === own);
  const groups: readonly TargetGroup[] = [
    { title: 'last used', targets: recent },
    { title: recent.length > 0 ? 'other protocols' : undefined, targets: others },
    { title: 'as it is', targets: same },
  ];
  return groups.filter(group => group.targets.length > 0);
}
