import { Icon, type IconName } from '../shared/icons.ts';
import { explainBadge, type Badge } from './call-words.ts';
import { h, type View } from '../shared/view.ts';

const BADGE_ICONS = {
  cycle: 'cycle',
  depth: 'depth',
  tripped: 'depth',
  inferred: 'inferred',
  sides: 'sides',
  note: 'note',
} as const satisfies Record<Badge['kind'], IconName>;

/** Badges with their icons. */
export function BadgeList({ badges }: { badges: readonly Badge[] }): View {
  return h('span', { class: 'badges' }, badges.map(buildBadge));
}

function buildBadge(badge: Badge): View {
  const { kind, text, accessiblePrefix } = badge;
  return h(
    'span',
    { key: kind, class: `badge muted ${kind}`, title: explainBadge(badge) },
    h(Icon, { name: BADGE_ICONS[kind] }),
    accessiblePrefix !== undefined && h('span', { class: 'visually-hidden' }, `${accessiblePrefix} `),
    h('span', { class: 'clip' }, text),
  );
}
