// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

interface IBorrower {
    function receiveTokens(address token, uint256 amount) external;
}

contract CountedVault {
    IERC20 public immutable token;
    uint256 public counted;

    constructor(IERC20 token_) {
        token = token_;
    }

    function deposit(uint256 amount) external {
        require(amount > 0, "nothing");
        require(token.transferFrom(msg.sender, address(this), amount), "transfer");
        counted += amount;
    }

    function flashLoan(uint256 amount) external {
        uint256 before = token.balanceOf(address(this));
        require(before >= amount, "too much");
        assert(counted == before);
        require(token.transfer(msg.sender, amount), "transfer");
        IBorrower(msg.sender).receiveTokens(address(token), amount);
        require(token.balanceOf(address(this)) >= before, "not repaid");
    }
}
