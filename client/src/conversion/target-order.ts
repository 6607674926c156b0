import { CONVERSIONS, type ConversionName } from '../../../core/catalog/conversions.ts';

/** The context of the question for a protocol. */
export interface TargetQuestion {
  /** The protocol of all messages; undefined if it is mixed or unknown. */
  readonly own?: ConversionName | undefined;
  /** The last target protocol. */
  readonly last?: ConversionName | undefined;
  /** The protocol that is shown now. */
  readonly current?: ConversionName | undefined;
}

/** A protocol in the list. */
export interface Target {
  readonly name: ConversionName;
  readonly label: string;
  readonly description: string;
}

/** A group of rows, with or without a title. */
export interface TargetGroup {
  readonly title: string | undefined;
  readonly targets: readonly Target[];
}

/** The target protocols: the last used first, and the messages' own last, because it changes only their layout. */
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
