/** Types for tests, which use the build only when it matches the sources. */
export declare function isBuilt(): boolean;
