/** Style sheets that a view's script imports. The bundler writes them next to the script. */
declare module '*.css';
