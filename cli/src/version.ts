/** Put in by the bundler; absent when the sources run directly. */
export const version: string = process.env.ASSAY_VERSION ?? 'development'
export const isBundled = version !== 'development'
/** Where the publisher of the command keeps the pages of the detectors; empty when they did not say. */
export const publishedPages: string = process.env.ASSAY_PAGES ?? ''
/** Changes whenever the code does, also between two versions: what is remembered of a scan is remembered for one build. */
export const build: string = process.env.ASSAY_BUILD ?? ''
