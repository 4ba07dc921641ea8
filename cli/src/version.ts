/** Put in by the bundler; absent when the sources run directly. */
export const version: string = process.env.ASSAY_VERSION ?? 'development'
