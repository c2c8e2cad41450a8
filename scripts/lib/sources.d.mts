/** For tests, which are typed: they run what was built when it is of these sources. */
export declare function isBuilt(): boolean;
