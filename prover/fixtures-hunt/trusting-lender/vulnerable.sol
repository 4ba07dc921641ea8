// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

contract Lender {
    IERC20 public immutable token;

    constructor(IERC20 token_) {
        token = token_;
    }

    function flashLoan(uint256 amount, address borrower, address to, bytes calldata data) external {
        uint256 before = token.balanceOf(address(this));
        require(token.transfer(borrower, amount), "transfer");
        (bool ok, ) = to.call(data);
        require(ok, "call");
        require(token.balanceOf(address(this)) >= before, "not repaid");
    }
}
