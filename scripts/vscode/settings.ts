/** Settings of a window in which everything is ours: no tips, no chat, no welcome page. */
export const QUIET_SETTINGS: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'git.openRepositoryInParentFolders': 'never',
  // The browser's VS Code saves by itself, and what is tried in samples/ would change the checkout.
  'files.autoSave': 'off',
};

/** Settings of a window that runs tests in its extension host: nothing that only a person looks at. */
export const HOST_SETTINGS: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'workbench.reduceMotion': 'on',
  'editor.minimap.enabled': false,
  'breadcrumbs.enabled': false,
};
