/**
 * Contracts that use well-known libraries, scanned in three forms: with the source of the library on disk, with its import missing, and
 * with a missing file that is known by its name alone. The findings must be the same.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type InputFile, type Report, scanFiles } from '@assay/engine'
import { describe, expect, test } from 'vitest'

/** By the name that a contract imports them by, and the one that they are installed by. */
const packages = {
  oz5: ['@openzeppelin/contracts', '@openzeppelin/contracts'],
  oz4: ['@openzeppelin/contracts', 'openzeppelin-contracts-4'],
  oz3: ['@openzeppelin/contracts', 'openzeppelin-contracts-3'],
  solady: ['solady', 'solady'],
  solmate: ['solmate', 'solmate'],
} as const

type Library = keyof typeof packages

const require = createRequire(import.meta.url)

const folders = new Map(
  Object.values(packages).map(([, installed]) => [
    installed,
    path.dirname(require.resolve(`${installed}/package.json`)),
  ]),
)

const importsOf = (text: string): string[] =>
  [...text.matchAll(/^\s*import\b[^;]*?["']([^"']+)["']/gm)].map(([, target]) => target!)

/** What a text imports from the library, and what that imports. */
const readLibrary = (library: Library, text: string): InputFile[] => {
  const [name, installed] = packages[library]
  const found = new Map<string, InputFile>()
  const visit = (targets: readonly string[], from: string): void => {
    for (const target of targets) {
      const at = target.startsWith('.') ? path.posix.join(path.posix.dirname(from), target) : target
      const file = path.join(folders.get(installed)!, at.slice(name.length))
      if (!at.startsWith(`${name}/`) || found.has(at) || !existsSync(file)) continue
      const source = readFileSync(file, 'utf8')
      found.set(at, { path: `node_modules/${at}`, text: source })
      visit(importsOf(source), at)
    }
  }
  visit(importsOf(text), '')
  return [...found.values()]
}

/** Imported from a folder that says nothing about the library. */
const knownByName = (text: string): string =>
  text.replace(/(^\s*import\b[^;]*?["'])(?:@openzeppelin|solady|solmate)\/[^"']*\//gm, '$1./dependencies/')

const describeFindings = ({ findings, advisories }: Report): string[] =>
  [...findings, ...advisories]
    .map(({ line, detector, severity, confidence }) => `${line}: ${detector} (${severity}, ${confidence})`)
    .sort()

const sample = 'src/Sample.sol'

const scanSample = (text: string, beside: readonly InputFile[]): string[] =>
  describeFindings(scanFiles([{ path: sample, text }, ...beside], { reported: [sample] })[0]!)

const head8 = '// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\n'
const head6 = '// SPDX-License-Identifier: MIT\npragma solidity 0.6.12;\n'

const vault = (lock: string): string => `  mapping(address => uint256) public balances;
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function withdraw() external ${lock} {
    (bool ok, ) = msg.sender.call{value: balances[msg.sender]}("");
    require(ok);
    balances[msg.sender] = 0;
  }
}`

interface Case {
  readonly library: keyof typeof packages
  readonly text: string
}

const cases: Readonly<Record<string, Case>> = {
  'oz5 guard': {
    library: 'oz5',
    text:
      head8 +
      `import "@openzeppelin/contracts/utils/ReentrancyGuard.sol";\ncontract V is ReentrancyGuard {\n${vault('nonReentrant')}`,
  },
  'oz5 transient': {
    library: 'oz5',
    text:
      head8 +
      `import "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";\ncontract V is ReentrancyGuardTransient {\n${vault('nonReentrant')}`,
  },
  'oz4 guard': {
    library: 'oz4',
    text:
      head8 +
      `import "@openzeppelin/contracts/security/ReentrancyGuard.sol";\ncontract V is ReentrancyGuard {\n${vault('nonReentrant')}`,
  },
  'oz3 guard': {
    library: 'oz3',
    text:
      head6 +
      `import "@openzeppelin/contracts/utils/ReentrancyGuard.sol";\ncontract V is ReentrancyGuard {\n${vault('nonReentrant')}`,
  },
  'solady guard': {
    library: 'solady',
    text:
      head8 +
      `import "solady/src/utils/ReentrancyGuard.sol";\ncontract V is ReentrancyGuard {\n${vault('nonReentrant')}`,
  },
  'solady transient': {
    library: 'solady',
    text:
      head8 +
      `import "solady/src/utils/ReentrancyGuardTransient.sol";\ncontract V is ReentrancyGuardTransient {\n${vault('nonReentrant')}`,
  },
  'solmate guard': {
    library: 'solmate',
    text:
      head8 +
      `import "solmate/src/utils/ReentrancyGuard.sol";\ncontract V is ReentrancyGuard {\n${vault('nonReentrant')}`,
  },
  'oz5 ecdsa': {
    library: 'oz5',
    text:
      head8 +
      `import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";\ncontract V { address signer; mapping(bytes32=>bool) used; constructor(address s){signer=s;} receive() external payable {} function claim(uint256 amount, bytes calldata sig) external { bytes32 h = keccak256(abi.encode(msg.sender, amount, address(this), block.chainid)); require(!used[h]); used[h]=true; require(ECDSA.recover(h, sig) == signer); payable(msg.sender).transfer(amount); } }`,
  },
  'oz4 ecdsa': {
    library: 'oz4',
    text:
      head8 +
      `import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";\ncontract V { using ECDSA for bytes32; address signer; mapping(bytes32=>bool) used; constructor(address s){signer=s;} receive() external payable {} function claim(uint256 amount, bytes calldata sig) external { bytes32 h = keccak256(abi.encode(msg.sender, amount, address(this), block.chainid)); require(!used[h]); used[h]=true; require(h.toEthSignedMessageHash().recover(sig) == signer); payable(msg.sender).transfer(amount); } }`,
  },
  'solady ecdsa': {
    library: 'solady',
    text:
      head8 +
      `import "solady/src/utils/ECDSA.sol";\ncontract V { address signer; mapping(bytes32=>bool) used; constructor(address s){signer=s;} receive() external payable {} function claim(uint256 amount, bytes calldata sig) external { bytes32 h = keccak256(abi.encode(msg.sender, amount, address(this), block.chainid)); require(!used[h]); used[h]=true; require(ECDSA.recover(h, sig) == signer); payable(msg.sender).transfer(amount); } }`,
  },
  'oz5 sigchecker': {
    library: 'oz5',
    text:
      head8 +
      `import "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";\ncontract V { address signer; mapping(bytes32=>bool) used; constructor(address s){signer=s;} receive() external payable {} function claim(uint256 amount, bytes calldata sig) external { bytes32 h = keccak256(abi.encode(msg.sender, amount, address(this), block.chainid)); require(!used[h]); used[h]=true; require(SignatureChecker.isValidSignatureNow(signer, h, sig)); payable(msg.sender).transfer(amount); } }`,
  },
  'oz5 safeerc20': {
    library: 'oz5',
    text:
      head8 +
      `import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";\ncontract V { using SafeERC20 for IERC20; IERC20 t; mapping(address=>uint) b; constructor(IERC20 x){t=x;} function dep(uint a) external { t.safeTransferFrom(msg.sender,address(this),a); b[msg.sender]+=a; } function wd(uint a) external { b[msg.sender]-=a; t.safeTransfer(msg.sender,a); } }`,
  },
  'oz4 safeerc20': {
    library: 'oz4',
    text:
      head8 +
      `import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";\ncontract V { using SafeERC20 for IERC20; IERC20 t; mapping(address=>uint) b; constructor(IERC20 x){t=x;} function dep(uint a) external { t.safeTransferFrom(msg.sender,address(this),a); b[msg.sender]+=a; } function wd(uint a) external { b[msg.sender]-=a; t.safeTransfer(msg.sender,a); } }`,
  },
  'solady safetransfer': {
    library: 'solady',
    text:
      head8 +
      `import "solady/src/utils/SafeTransferLib.sol";\ncontract V { address t; mapping(address=>uint) b; constructor(address x){t=x;} function dep(uint a) external { SafeTransferLib.safeTransferFrom(t,msg.sender,address(this),a); b[msg.sender]+=a; } function wd(uint a) external { b[msg.sender]-=a; SafeTransferLib.safeTransfer(t,msg.sender,a); } function out(uint a) external { b[msg.sender]-=a; SafeTransferLib.safeTransferETH(msg.sender,a); } }`,
  },
  'solmate safetransfer': {
    library: 'solmate',
    text:
      head8 +
      `import "solmate/src/utils/SafeTransferLib.sol";\nimport "solmate/src/tokens/ERC20.sol";\ncontract V { using SafeTransferLib for ERC20; ERC20 t; mapping(address=>uint) b; constructor(ERC20 x){t=x;} function dep(uint a) external { t.safeTransferFrom(msg.sender,address(this),a); b[msg.sender]+=a; } function wd(uint a) external { b[msg.sender]-=a; t.safeTransfer(msg.sender,a); } }`,
  },
  'oz5 sendValue': {
    library: 'oz5',
    text:
      head8 +
      `import "@openzeppelin/contracts/utils/Address.sol";\nimport "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";\ncontract V is ReentrancyGuardTransient { mapping(address=>uint) b; function d() external payable { b[msg.sender]+=msg.value; } function w() external nonReentrant { uint a=b[msg.sender]; Address.sendValue(payable(msg.sender),a); b[msg.sender]=0; } }`,
  },
  'oz5 functionCall': {
    library: 'oz5',
    text:
      head8 +
      `import "@openzeppelin/contracts/utils/Address.sol";\nimport "@openzeppelin/contracts/access/Ownable.sol";\ncontract V is Ownable { constructor() Ownable(msg.sender) {} receive() external payable {} function ex(address t, bytes calldata d) external onlyOwner { Address.functionCall(t,d); } }`,
  },
  'oz5 mulDiv': {
    library: 'oz5',
    text:
      head8 +
      `import "@openzeppelin/contracts/utils/math/Math.sol";\ncontract V { uint total=1; uint assets=1; mapping(address=>uint) s; function d() external payable { uint sh = Math.mulDiv(msg.value,total,assets); s[msg.sender]+=sh; total+=sh; assets+=msg.value; } }`,
  },
  'oz5 onlyRole': {
    library: 'oz5',
    text:
      head8 +
      `import "@openzeppelin/contracts/access/AccessControl.sol";\ncontract V is AccessControl { bytes32 constant R=keccak256("R"); constructor(){_grantRole(DEFAULT_ADMIN_ROLE,msg.sender);} receive() external payable {} function w(address payable t,uint a) external onlyRole(R) { t.transfer(a); } function die() external onlyRole(R) { selfdestruct(payable(msg.sender)); } }`,
  },
  'oz4 onlyRole': {
    library: 'oz4',
    text:
      head8 +
      `import "@openzeppelin/contracts/access/AccessControl.sol";\ncontract V is AccessControl { bytes32 constant R=keccak256("R"); constructor(){_grantRole(DEFAULT_ADMIN_ROLE,msg.sender);} receive() external payable {} function w(address payable t,uint a) external onlyRole(R) { t.transfer(a); } }`,
  },
  'oz3 role': {
    library: 'oz3',
    text:
      head6 +
      `import "@openzeppelin/contracts/access/AccessControl.sol";\ncontract V is AccessControl { bytes32 constant R=keccak256("R"); constructor() public {_setupRole(DEFAULT_ADMIN_ROLE,msg.sender);} receive() external payable {} function w(address payable t,uint a) external { require(hasRole(R,msg.sender)); t.transfer(a); } }`,
  },
  'solady owned': {
    library: 'solady',
    text:
      head8 +
      `import "solady/src/auth/Ownable.sol";\ncontract V is Ownable { constructor() { _initializeOwner(msg.sender);} receive() external payable {} function w(address payable t,uint a) external onlyOwner { t.transfer(a); } }`,
  },
  'solady roles': {
    library: 'solady',
    text:
      head8 +
      `import "solady/src/auth/OwnableRoles.sol";\ncontract V is OwnableRoles { constructor() { _initializeOwner(msg.sender);} receive() external payable {} function w(address payable t,uint a) external onlyRoles(1) { t.transfer(a); } }`,
  },
  'solmate owned': {
    library: 'solmate',
    text:
      head8 +
      `import "solmate/src/auth/Owned.sol";\ncontract V is Owned { constructor() Owned(msg.sender) {} receive() external payable {} function w(address payable t,uint a) external onlyOwner { t.transfer(a); } }`,
  },
  'solmate auth': {
    library: 'solmate',
    text:
      head8 +
      `import "solmate/src/auth/Auth.sol";\ncontract V is Auth { constructor() Auth(msg.sender,Authority(address(0))) {} receive() external payable {} function w(address payable t,uint a) external requiresAuth { t.transfer(a); } }`,
  },
}

/** The versions whose files a fixture can import. */
const librariesOf = (text: string): Library[] => {
  const wanted = importsOf(text).filter((target) => /^(@openzeppelin\/contracts|solady|solmate)\//.test(target))
  const isWhole = (library: Library): boolean => {
    const known = new Set(readLibrary(library, text).map((file) => file.path))
    // Only versions that the fixture compiles with.
    if (library === 'oz3' && /pragma solidity \^?0\.8/.test(text)) return false
    if (library === 'oz4' && text.includes('Rounding.Floor')) return false
    return wanted.length > 0 && wanted.every((target) => known.has(`node_modules/${target}`))
  }
  return (Object.keys(packages) as Library[]).filter(isWhole)
}

const detectorFolder = fileURLToPath(new URL('../engine/src/detectors/', import.meta.url))

const fixtures = readdirSync(detectorFolder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /fixtures.[^/\\]+\.sol$/.test(file))
  .map((file) => ({ name: file, text: readFileSync(path.join(detectorFolder, file), 'utf8') }))
  .flatMap(({ name, text }) =>
    librariesOf(text).map((library) => [`${name} with ${library}`, { library, text }] as const),
  )

/** What only the source shows: `transferFrom()` of ERC-721 stays open while the lock of the contract is held. */
const shownBySource: Readonly<Record<string, readonly string[]>> = {
  'reentrancy/fixtures/limit-tested-once.sol with oz5': ['30: possible-reentrancy (medium, low)'],
}

describe('the same findings with a library on disk, missing, and known by its name', () => {
  test.each([...Object.entries(cases), ...fixtures])('%s', (name, { library, text }) => {
    const missing = scanSample(text, [])
    const files = readLibrary(library, text)
    expect(files.length).toBeGreaterThan(0)
    const more = shownBySource[name] ?? []
    expect(scanSample(text, files)).toEqual([...missing, ...more].sort())
    expect(scanSample(knownByName(text), [])).toEqual(missing)
  })

  test('the fixtures use the libraries', () => {
    expect(fixtures.length).toBeGreaterThan(40)
  })
})
