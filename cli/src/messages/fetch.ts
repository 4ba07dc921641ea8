/** Texts of `fetch/`, by the file that shows them. Texts with values are functions. */

export const explorer = {
  noAnswerInTime: (seconds: number) => `the explorer did not answer within ${seconds} s; try again later.`,
  notReached: (host: string) => `${host} could not be reached; check --explorer-url and the network.`,
  rateLimit: (after: string | null) =>
    `the explorer limits requests; try again ${/^\d{1,6}$/.test(after ?? '') ? `in ${after} s` : 'later, or with a key'}.`,
  keyRefused: 'the explorer refused the key; check ASSAY_EXPLORER_KEY or --explorer-key-file.',
  notVerified: 'the explorer has no verified source of this address on this chain.',
  notSolidity: 'the verified source is not Solidity.',
  redirects: 'the explorer redirects; give the final URL, because the key is not sent elsewhere.',
  status: (status: number) => `the explorer answered with status ${status}.`,
  brokenOff: 'the answer of the explorer broke off; try again.',
  tooLarge: (bytes: number) => `the answer is larger than ${bytes} bytes.`,
  notJson: 'the answer is not JSON; --explorer-url must be that of the API.',
  refused: 'the explorer refused the request.',
}

export const layOutSources = {
  writtenBy: '# Written by assay fetch: how the verified sources find each other.',
  twice: (path: string) => `the answer has ${path} twice.`,
  noSolidity: 'the answer has no Solidity file.',
  tooMany: (files: number) => `the answer has more than ${files} files.`,
  unsafePath: (path: string) => `the answer names a path that cannot be written: ${JSON.stringify(path)}.`,
}

export const fetchCommand = {
  fetchVerifiedSource: 'Fetch the verified source of a deployed contract from an explorer that you name.',
  contactsOnlyNamed:
    'Asks the explorer at --explorer-url and no other; there is no default, and no other command uses the network for sources. Knows the API of Etherscan (version 2), Blockscout, which speaks the same, and Sourcify. The key is read from ASSAY_EXPLORER_KEY or from a file, never from the command line.',
  writesFolder:
    'Writes the sources into a new folder, named by the address unless --output names one, with a foundry.toml by which their imports are found. Then every command works on that folder. Of a proxy it names the implementation, which is fetched by its own address.',
  exitCode: 'Exit code 0: written. 2: nothing was written, and the reason.',
  apiUrl:
    'URL of the API: https://api.etherscan.io/v2/api, https://<host>/api of Blockscout, https://sourcify.dev/server.',
  whichApi: 'The API it speaks; auto: Sourcify where the URL names it, else Etherscan.',
  chainId: 'Number of the chain.',
  keyFile: 'File with the key; default: the environment variable ASSAY_EXPLORER_KEY.',
  newFolder: 'The folder to write; it must not exist.',
  exampleLine: 'assay fetch 0x5ed4a410a612f2fe625a8f3cb4d70f197ff8c8be --explorer-url https://sourcify.dev/server',
  exampleDoes: 'Write the verified source into a folder, to scan it.',
  nameAddress: 'Name an address: assay fetch <0x…> --explorer-url <url>.',
  needsUrl: 'Name the explorer: --explorer-url <url>. Nothing is asked by default.',
  badUrl: (url: string) => `--explorer-url ${url}: must be an https URL without a key in it.`,
  noKeyFile: (file: string) => `--explorer-key-file ${file}: it cannot be read.`,
  existsAlready: (shown: string) => `${shown}: it is there already; nothing was written.`,
  outside: (shown: string) => `${shown}: it leads outside of the project.`,
  written: (files: number, contract: string, shown: string) =>
    `${files} ${files === 1 ? 'file' : 'files'} of ${contract || 'the contract'} written to ${shown}\nScan it: assay scan ${shown}\n`,
  isProxy: (address: string) => `assay: this is a proxy; the code that runs is at ${address}: fetch that too\n`,
}
