/** The user setting with agents for every workspace, without the prefix `parley.`. */
export const AGENTS_SETTING = 'agents';

/** The URI scheme that represents the setting in place of an agents file. */
export const SETTING_SCHEME = 'parley-setting';

/** The displayed location of such an agent. */
export const SETTING_PLACE = 'parley.agents in the user settings';
