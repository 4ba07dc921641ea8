// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

contract TrustingLender {
    IERC20 public immutable token;

    constructor(IERC20 asset) {
        token = asset;
    }

    function flashLoan(uint256 amount, address borrower, address target, bytes calldata data) external {
        uint256 balanceBefore = token.balanceOf(address(this));
        token.transfer(borrower, amount);
        (bool ok, ) = target.call(data); // expect: arbitrary-call
        require(ok, "call failed");
        require(token.balanceOf(address(this)) >= balanceBefore, "not repaid");
    }
}
