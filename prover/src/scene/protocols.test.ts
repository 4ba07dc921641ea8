import { describe, expect, test } from 'vitest'
import { compile } from '../compile/compile.ts'
import { isInstalled, loadPackages } from '../packages.ts'
import { deployTarget } from './build-scene.ts'
import { Chain } from './chain.ts'
import type { CallStep } from './step.ts'

const interfaces = `
interface IVault {
    function asset() external view returns (address);
    function convertToAssets(uint256 shares) external view returns (uint256);
    function deposit(uint256 assets, address receiver) external returns (uint256);
    function redeem(uint256 shares, address receiver, address owner) external returns (uint256);
}
interface INft {
    function mint(address to, uint256 id) external;
    function ownerOf(uint256 id) external view returns (address);
    function safeTransferFrom(address from, address to, uint256 id) external;
}
interface ILender {
    function maxFlashLoan(address token) external view returns (uint256);
    function flashFee(address token, uint256 amount) external view returns (uint256);
    function flashLoan(address receiver, address token, uint256 amount, bytes calldata data) external returns (bool);
}
interface IMute {
    function mint(address to, uint256 value) external;
    function transfer(address to, uint256 value) external;
}
interface IToken {
    function mint(address to, uint256 value) external;
    function approve(address spender, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
    function symbol() external view returns (string memory);
}`

/** A contract that is given one protocol, and a call that works only where that behaves like the real one. */
const users: Record<string, string> = {
  'an ERC-4626 vault': `contract User {
    IVault vault;
    constructor(IVault given) { vault = given; }
    function use() external {
        IToken token = IToken(vault.asset());
        token.mint(address(this), 100);
        token.approve(address(vault), 100);
        uint256 shares = vault.deposit(100, address(this));
        require(vault.convertToAssets(shares) == 100 && vault.redeem(shares, address(this), address(this)) == 100);
    }
}`,
  'an ERC-721 that asks recipients': `contract User {
    INft nft;
    uint256 received;
    constructor(INft given) { nft = given; }
    function use() external {
        nft.mint(address(this), 7);
        nft.safeTransferFrom(address(this), address(this), 7);
        require(received == 7 && nft.ownerOf(7) == address(this));
    }
    function onERC721Received(address, address, uint256 id, bytes calldata) external returns (bytes4) {
        received = id;
        return this.onERC721Received.selector;
    }
}`,
  'a flash lender that takes a fee': `contract User {
    ILender lender;
    uint256 paid;
    constructor(ILender given) { lender = given; }
    function use() external {
        require(lender.maxFlashLoan(address(0)) > 1000);
        require(lender.flashLoan(address(this), address(0), 1000, ""));
        require(paid == lender.flashFee(address(0), 1000));
    }
    function onFlashLoan(address, address token, uint256 amount, uint256 fee, bytes calldata) external returns (bytes32) {
        require(IToken(token).balanceOf(address(this)) >= amount);
        IToken(token).mint(address(this), fee);
        IToken(token).approve(msg.sender, amount + fee);
        paid = fee;
        return keccak256("ERC3156FlashBorrower.onFlashLoan");
    }
}`,
  'a token with a symbol': `contract User {
    IToken token;
    string name;
    constructor(IToken given) { token = given; name = given.symbol(); }
    function use() external { token.mint(address(this), bytes(name).length); }
}`,
  'a token without return values': `contract User {
    IMute token;
    constructor(IMute given) { token = given; }
    function use() external {
        token.mint(address(this), 5);
        (bool ok, bytes memory answer) = address(token).call(abi.encodeCall(IMute.transfer, (address(1), 5)));
        require(ok && answer.length == 0);
    }
}`,
}

describe.skipIf(!isInstalled())('a contract is given', () => {
  test.each(Object.entries(users))(
    '%s',
    async (_name, source) => {
      const packages = await loadPackages()
      const text = `pragma solidity ^0.8.20;\n${interfaces}\n${source}`
      const result = compile([{ path: 'user.sol', text }], packages)
      if (!result.ok) throw new Error(result.error)
      const chain = await Chain.create(result.compilation, packages)
      const contract = result.compilation.contracts.find(({ name }) => name === 'User')
      if (!contract) throw new Error('no contract')
      const scene = await deployTarget(chain, contract, { withoutForcedEther: true })
      if (!scene.ok) throw new Error(scene.reason)
      const fn = contract.functions.find(({ name }) => name === 'use') ?? null
      const step: CallStep = { kind: 'call', actor: 'alice', via: null, to: scene.target, fn, args: [], value: 0n }
      expect((await chain.perform(step)).error).toBeNull()
    },
    120_000,
  )
})
