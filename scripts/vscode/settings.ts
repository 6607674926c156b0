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
