// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

contract LoanReceiver {
    IERC20 public immutable token;
    address public immutable lender;

    constructor(IERC20 asset, address pool) {
        token = asset;
        lender = pool;
    }

    function onFlashLoan(address initiator, address to, uint256 amount, bytes calldata) external returns (bool) {
        require(initiator == address(this) || initiator != address(0), "initiator");
        require(token.transfer(to, amount), "transfer failed"); // expect: unprotected-token-withdrawal
        return true;
    }
}
