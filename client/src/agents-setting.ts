/** The user setting that holds agents for every workspace, without `parley.`. */
export const AGENTS_SETTING = 'agents';

/** The scheme of the address that stands for the setting, where other agents have a file. */
export const SETTING_SCHEME = 'parley-setting';

/** What people read as the place of such an agent. */
export const SETTING_PLACE = 'parley.agents in the user settings';
