/**
 * Contracts that use well-known libraries, scanned with the library missing and with its source installed: the findings must be the same.
 *   npm run bench:known [-- <part of a name> …]
 * Fetches the packages once by npm; nothing of them is run.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type InputFile, type Report, scanFiles } from '@assay/engine'

const cache = fileURLToPath(new URL('../.cache/known/', import.meta.url))

/** Pinned; imports name the package without its version. */
const packages = {
  oz5: '@openzeppelin/contracts@5.4.0',
  oz4: '@openzeppelin/contracts@4.9.6',
  oz3: '@openzeppelin/contracts@3.4.2',
  solady: 'solady@0.1.26',
  solmate: 'solmate@6.8.0',
} as const

const readPackage = (name: string): InputFile[] => {
  const folder = join(cache, name.replace(/[/@]/g, '_'))
  const unpacked = join(folder, 'package')
  if (!existsSync(unpacked)) {
    mkdirSync(folder, { recursive: true })
    const packed = spawnSync('npm', ['pack', name, '--silent'], { cwd: folder, encoding: 'utf8' })
    const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))
    if (packed.status !== 0 || tarball === undefined) throw new Error(`${name} could not be fetched: ${packed.stderr}`)
    spawnSync('tar', ['xzf', tarball], { cwd: folder })
    rmSync(join(folder, tarball))
  }
  const prefix = name.slice(0, name.lastIndexOf('@'))
  return readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sol'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: `${prefix}${file.slice(unpacked.length)}`, text: readFileSync(file, 'utf8') }))
}

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

const describeFindings = ({ findings, advisories }: Report): string =>
  [...findings, ...advisories]
    .map(({ line, detector, severity, confidence }) => `${line}:${detector} (${severity}, ${confidence})`)
    .sort()
    .join(' ')

const wanted = process.argv.slice(2)
let differences = 0
for (const [name, { library, text }] of Object.entries(cases)) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue
  const file = { path: 'src/Sample.sol', text }
  const [missing] = scanFiles([file])
  const [installed] = scanFiles([file, ...readPackage(packages[library])], { reported: [file.path] })
  const [before, after] = [describeFindings(missing!), describeFindings(installed!)]
  console.log(`${before === after ? 'same     ' : 'DIFFERENT'} ${name}`)
  if (before === after) continue
  differences++
  console.log(`  missing:   ${before}\n  installed: ${after}`)
}
console.log(differences === 0 ? 'the same with and without dependencies' : `${differences} differ`)
process.exitCode = differences === 0 ? 0 : 1
