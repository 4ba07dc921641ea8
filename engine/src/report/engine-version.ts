/** Goes into every result, so that two of them can be compared knowingly. The same as the package's. */
export const engineVersion = '0.1.0'
