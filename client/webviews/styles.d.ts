/** Style sheets that a view's script imports; the bundler writes them beside it. */
declare module '*.css';
