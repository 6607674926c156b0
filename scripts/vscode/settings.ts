/** Settings that hide tips, chat and the welcome page. */
export const QUIET_SETTINGS: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'remote.autoForwardPorts': false,
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'git.openRepositoryInParentFolders': 'never',
  // VS Code in browsers saves automatically, which would change files that a test means to leave unsaved.
  'files.autoSave': 'off',
};

/** Settings of a window that runs tests in its extension host, without parts that only users look at. */
export const HOST_SETTINGS: Readonly<Record<string, unknown>> = {
  ...QUIET_SETTINGS,
  'workbench.reduceMotion': 'on',
  // The window has no room for two pages, so replies would hide what a test edits.
  'parley.replies.column': 'beside',
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'breadcrumbs.enabled': false,
};
