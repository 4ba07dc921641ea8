/** Put in by the bundler; absent when the sources run directly. */
export const version: string = process.env.ASSAY_VERSION ?? 'development'
export const isBundled = version !== 'development'
/** Changes whenever the code does, also between two versions: what is remembered of a scan is remembered for one build. */
export const build: string = process.env.ASSAY_BUILD ?? ''
