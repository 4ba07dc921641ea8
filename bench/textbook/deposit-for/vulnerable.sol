// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

contract DepositFor {
    IERC20 public immutable token;
    mapping(address => uint256) public credit;

    constructor(IERC20 asset) {
        token = asset;
    }

    function deposit(address from, uint256 amount) external {
        require(token.transferFrom(from, address(this), amount), "transfer failed"); // expect: arbitrary-transfer-from
        credit[msg.sender] += amount;
    }

    function withdraw(uint256 amount) external {
        credit[msg.sender] -= amount;
        require(token.transfer(msg.sender, amount), "transfer failed");
    }
}
