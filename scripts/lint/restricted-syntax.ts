/** A restriction: an esquery selector of syntax tree nodes, and the message to report. */
export interface RestrictedSyntax {
  readonly selector: string;
  readonly message: string;
}

interface Context {
  readonly options: readonly unknown[];
  report(problem: { readonly node: unknown; readonly message: string }): void;
}

/** The rule `parley/restricted-syntax`, which oxlint lacks: reports every node that one of its options selects. */
const restrictedSyntax = {
  meta: { schema: false },
  create(context: Context): Record<string, (node: unknown) => void> {
    const visitors = context.options
      .filter(isRestrictedSyntax)
      .map(
        ({ selector, message }) => [selector, (node: unknown) => context.report({ node, message })] as const,
      );
    return Object.fromEntries(visitors);
  },
};

function isRestrictedSyntax(option: unknown): option is RestrictedSyntax {
  return typeof option === 'object' && option !== null && 'selector' in option && 'message' in option;
}

// oxlint loads a plugin by its default export.
// oxlint-disable-next-line parley/restricted-syntax
export default { meta: { name: 'parley' }, rules: { 'restricted-syntax': restrictedSyntax } };
