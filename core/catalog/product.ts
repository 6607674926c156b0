/** How the server and the command line identify themselves. A test keeps the version equal to that of package.json. */
export const PRODUCT = {
  name: 'parley',
  title: 'Parley',
  version: '0.1.0',
  /** The home page. */
  url: 'https://github.com/parley/parley',
  /** The page of all rules, which has an anchor for each rule. */
  rulesUrl: 'https://github.com/parley/parley/blob/HEAD/docs/reference/rules.md',
} as const;
