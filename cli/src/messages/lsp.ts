/** Texts of `lsp/`, by the file that shows them. Texts with values are functions. */

export const server = {
  unsafeChangesBehavior: (title: string) => `${title} (unsafe: changes behavior)`,
  verifyByExecuting: 'Verify by executing an exploit',
  verifiedExploit: (summary: string) => `Verified exploit: ${summary}`,
  notVerified: (summary: string) => `Not verified: ${summary}`,
  suppressHereReason: (id: string) => `Suppress ${id} here, with a reason`,
  assayIgnoreWhyFalse: (indent: string, id: string) => `${indent}// assay-ignore ${id}: why this is a false positive\n`,
}
