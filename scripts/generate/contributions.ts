import type {
  CommandRow,
  Manifest,
  SubmenuRow,
  ViewRow,
  WalkthroughRow,
} from '../../client/src/features/manifest.ts';

/** The blocks of `contributes` in package.json that the manifests of the extension's features fill. */
export function printContributions(manifests: readonly Manifest[]): Readonly<Record<string, unknown>> {
  const commands = manifests.flatMap(manifest => manifest.commands);
  const submenus = manifests.flatMap(manifest => manifest.submenus ?? []);
  const views = manifests.flatMap(manifest => manifest.views ?? []);
  return {
    commands: manifests.flatMap(({ category, commands: rows }) =>
      rows.map(row => printCommand(category, row)),
    ),
    keybindings: commands.flatMap(row => (row.keys ?? []).map(key => ({ command: idOf(row), ...key }))),
    submenus: submenus.map(({ id, title }) => ({ id, label: title })),
    menus: printMenus(commands, submenus),
    views: { parley: views.map(printView) },
    viewsWelcome: views.flatMap(({ id, welcome = [] }) =>
      welcome.map(({ contents, when }) => ({ view: `parley.${id}`, contents, when })),
    ),
    walkthroughs: manifests.flatMap(manifest => manifest.walkthroughs ?? []).map(printWalkthrough),
  };
}

function printWalkthrough({ steps, ...row }: WalkthroughRow): unknown {
  return {
    ...row,
    steps: steps.map(({ id, title, description, media, completedBy }) => ({
      id,
      title,
      description,
      media: { markdown: media },
      completionEvents: completedBy,
    })),
  };
}

function idOf({ name }: CommandRow): string {
  return `parley.${name}`;
}

function printCommand(category: string, row: CommandRow): unknown {
  const { title, icon, enablement } = row;
  return {
    command: idOf(row),
    title,
    category,
    ...(icon !== undefined && { icon: `$(${icon})` }),
    ...(enablement !== undefined && { enablement }),
  };
}

function printMenus(
  commands: readonly CommandRow[],
  submenus: readonly SubmenuRow[],
): Readonly<Record<string, readonly unknown[]>> {
  const menus: Record<string, unknown[]> = {};
  const add = (menu: string, entry: object): void => void (menus[menu] ??= []).push(entry);
  for (const { id, title: _, menu, ...place } of submenus) add(menu, { submenu: id, ...place });
  for (const row of commands) {
    if (row.palette !== undefined) add('commandPalette', { command: idOf(row), when: row.palette });
    for (const [menu, places] of Object.entries(row.menus ?? {}))
      for (const place of [places].flat()) add(menu, { command: idOf(row), ...place });
  }
  return menus;
}

function printView({ id, name, size, type, when }: ViewRow): unknown {
  return {
    id: `parley.${id}`,
    name,
    icon: 'media/parley.svg',
    size,
    ...(type !== undefined && { type }),
    ...(when !== undefined && { when }),
  };
}
