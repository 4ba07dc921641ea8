// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

interface IBorrower {
    function onLoan(address token, uint256 amount) external returns (bytes32);
}

contract AnsweredPool {
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

    function flashLoan(IBorrower borrower, uint256 amount) external {
        uint256 before = token.balanceOf(address(this));
        require(counted == before, "count");
        require(token.transfer(address(borrower), amount), "transfer");
        require(borrower.onLoan(address(token), amount) == keccak256("AnsweredPool.onLoan"), "answer");
        require(token.transferFrom(address(borrower), address(this), amount), "not repaid");
    }
}
