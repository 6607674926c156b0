/** How deep readers follow nested values of any language; what is nested deeper is raw text to them. */
export const DEEPEST = 200;
