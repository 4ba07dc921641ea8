// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// A share token of pooled tokens, with virtual shares and a flash loan.
contract Shares {
    IERC20 public immutable token;
    address public immutable owner;
    uint256 public totalSupply;
    uint256 public pooled;
    bool private lending;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    modifier notLending() {
        require(!lending, "lending");
        lending = true;
        _;
        lending = false;
    }

    constructor(IERC20 token_) {
        token = token_;
        owner = msg.sender;
    }

    function deposit(uint256 amount) external notLending returns (uint256 minted) {
        minted = (amount * (totalSupply + 1000)) / (pooled + 1);
        pooled += amount;
        totalSupply += minted;
        balanceOf[msg.sender] += minted;
        require(token.transferFrom(msg.sender, address(this), amount), "transfer");
    }

    function redeem(uint256 burned) external notLending returns (uint256 amount) {
        amount = (burned * (pooled + 1)) / (totalSupply + 1000);
        balanceOf[msg.sender] -= burned;
        totalSupply -= burned;
        pooled -= amount;
        require(token.transfer(msg.sender, amount), "transfer");
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        return true;
    }

    function flashLoan(address borrower, uint256 amount, bytes calldata data) external notLending {
        uint256 before = token.balanceOf(address(this));
        require(token.transfer(borrower, amount), "transfer");
        (bool ok, ) = borrower.call(abi.encodeWithSignature("onLoan(address,uint256,bytes)", token, amount, data));
        require(ok, "borrower");
        require(token.balanceOf(address(this)) >= before, "not repaid");
    }

    function rescue(IERC20 other, address to, uint256 amount) external {
        require(msg.sender == owner, "owner");
        require(other != token, "pooled");
        require(other.transfer(to, amount), "transfer");
    }
}
